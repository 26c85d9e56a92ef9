/// A size with an optional unit: `500MB`, `1.5GiB`, `4096`.
package struct ByteSize: Sendable {
  /// The number of bytes, from 1 to `Limits.maximumBytes`.
  package let bytes: Int64

  /// The maximum size of a package.
  package static let maximum = ByteSize(bytes: Limits.maximumBytes)

  private static let units: [String: Int64] = [
    "": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
    "gib": 1 << 30,
  ]

  /// Parses a size. The unit may be in either letter case, and a fraction of a byte is dropped.
  ///
  /// - Returns: Nil if `text` is not a size from 1 to `Limits.maximumBytes` bytes.
  package init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let unit = Self.units[text.dropFirst(number.count).lowercased()], let value = Double(number)
    else {
      return nil
    }
    let bytes = (value * Double(unit)).rounded(.down)
    guard bytes >= 1, bytes <= Double(Limits.maximumBytes) else { return nil }
    self.bytes = Int64(bytes)
  }

  private init(bytes: Int64) { self.bytes = bytes }
}

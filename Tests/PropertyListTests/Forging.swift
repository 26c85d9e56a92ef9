import PropertyList

/// An XML property list with the standard prolog and the value `root` on line 4.
func plist(_ root: String) -> [UInt8] {
  Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(root)
    </plist>

    """.utf8)
}

/// The text in UTF-16 with a byte order mark.
func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
  ("\u{FEFF}" + text).utf16.flatMap { unit in
    let pair = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
    return bigEndian ? pair : pair.reversed()
  }
}

/// Returns the error that parsing throws; nil if it succeeds.
func error(of bytes: [UInt8]) -> PropertyListError? {
  do {
    _ = try PropertyListDocument.parse(bytes)
    return nil
  } catch {
    return error
  }
}

/// Returns the root of an XML property list with one value.
func root(_ xml: String) throws -> PropertyListValue { try PropertyListDocument.parse(plist(xml)).root }

/// A binary property list of encoded objects.
struct ForgedBinary {
  var objects: [[UInt8]]
  var root: UInt64 = 0
  var offsetSize: UInt8 = 2
  var referenceSize: UInt8 = 1
  /// False values in the trailer; nil for the correct ones.
  var count: UInt64?
  var tableOffset: UInt64?
  /// False offsets, by index.
  var offsets: [Int: UInt64] = [:]
  var header = "bplist00"
  var gap: [UInt8] = []

  init(_ objects: [[UInt8]]) { self.objects = objects }

  var bytes: [UInt8] {
    var result = Array(header.utf8)
    var table: [UInt8] = []
    for (index, object) in objects.enumerated() {
      table += number(offsets[index] ?? UInt64(result.count), size: Int(offsetSize))
      result += object
    }
    let start = tableOffset ?? UInt64(result.count)
    result += table + gap + [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
    return result + number(count ?? UInt64(objects.count), size: 8) + number(root, size: 8)
      + number(start, size: 8)
  }
}

/// A number in `size` bytes, in big-endian order.
func number(_ number: UInt64, size: Int) -> [UInt8] {
  (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) : 0 }
}

/// A binary string object of at most 255 ASCII characters.
func ascii(_ text: String) -> [UInt8] {
  let length = UInt8(text.utf8.count)
  return (length < 15 ? [0x50 | length] : [0x5F, 0x10, length]) + Array(text.utf8)
}

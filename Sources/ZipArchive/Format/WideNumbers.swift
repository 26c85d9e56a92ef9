/// The numbers of a header that a ZIP64 extra field may replace (APPNOTE 4.5.3).
struct WideNumbers {
  /// The maximum accepted size or offset, a tebibyte. No package is that large, and the sum of the sizes of all
  /// entries still fits into 64 bits.
  static let maximumValue: UInt64 = 1 << 40

  private(set) var size: Int64 = 0
  private(set) var compressedSize: Int64 = 0
  /// The offset of the local file header; 0 in a local file header, which does not declare it.
  private(set) var offset: Int64 = 0
  private(set) var disk: UInt32 = 0
  /// The position of the offset in the extra fields, or nil if it is in the header itself.
  private(set) var offsetPosition: Int?

  /// Resolves the numbers of a central directory header.
  ///
  /// - Throws: `InvalidNumbers` if the numbers and the ZIP64 field do not match.
  init(
    size: UInt32, compressedSize: UInt32, offset: UInt32, disk: UInt16, extra: ExtraFields
  ) throws(InvalidNumbers) {
    try self.init(
      [Number(size), Number(compressedSize), Number(offset), Number(disk)], extra: extra)
  }

  /// Resolves the numbers of a local file header.
  ///
  /// - Throws: `InvalidNumbers` if the numbers and the ZIP64 field do not match.
  init(size: UInt32, compressedSize: UInt32, extra: ExtraFields) throws(InvalidNumbers) {
    try self.init([Number(size), Number(compressedSize)], extra: extra)
  }

  /// The reason why the numbers of a header are unknown: one lower-case sentence without a full stop.
  struct InvalidNumbers: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  /// A number as the header holds it.
  private struct Number {
    let value: UInt64
    /// Whether all bits are set, because the number is in the ZIP64 field (APPNOTE 4.4.1.4).
    let isInZip64Field: Bool
    /// The length of the number in the ZIP64 field in bytes.
    let wideSize: Int

    init<Narrow: FixedWidthInteger>(_ value: Narrow) {
      self.value = UInt64(value)
      isInZip64Field = value == .max
      wideSize = Narrow.bitWidth / 4
    }
  }

  private init(_ numbers: [Number], extra: ExtraFields) throws(InvalidNumbers) {
    guard !extra.hasSeveralZip64 else { throw InvalidNumbers("the ZIP64 extra field appears twice") }
    var values = numbers.map(\.value)
    if let field = extra.zip64 {
      let replaced = try Self.replacedNumbers(numbers, fieldSize: field.data.count)
      var position = 0
      for index in replaced {
        let wide = field.data[position...].number(size: numbers[index].wideSize)
        guard numbers[index].isInZip64Field || wide == values[index] else {
          throw InvalidNumbers("the ZIP64 extra field has \(wide), but the header has \(values[index])")
        }
        values[index] = wide
        if index == 2, numbers[index].isInZip64Field { offsetPosition = field.position + position }
        position += numbers[index].wideSize
      }
    } else if numbers.prefix(3).contains(where: \.isInZip64Field) {
      throw InvalidNumbers("a size or offset refers to a ZIP64 extra field, but there is none")
    }
    for value in values where value > Self.maximumValue {
      throw InvalidNumbers("the ZIP64 extra field has \(value), which is larger than any package")
    }
    size = Int64(values[0])
    compressedSize = Int64(values[1])
    if values.count > 2 {
      offset = Int64(values[2])
      disk = UInt32(truncatingIfNeeded: values[3])
    }
  }

  /// Returns the indices of the numbers in a ZIP64 field of `fieldSize` bytes. These are the numbers whose bits in the
  /// header are all set; if there are none, the field repeats the first numbers of the header.
  private static func replacedNumbers(_ numbers: [Number], fieldSize: Int) throws(InvalidNumbers) -> [Int] {
    let needed = numbers.indices.filter { numbers[$0].isInZip64Field }
    let candidates = needed.isEmpty ? (0...numbers.count).map { Array(0..<$0) } : [needed]
    for candidate in candidates where candidate.reduce(0, { $0 + numbers[$1].wideSize }) == fieldSize {
      return candidate
    }
    let expected = needed.reduce(0) { $0 + numbers[$1].wideSize }
    throw InvalidNumbers("the ZIP64 extra field has \(fieldSize) bytes, expected \(expected)")
  }
}

extension ArraySlice<UInt8> {
  /// Returns the first number, of 4 or 8 bytes.
  fileprivate func number(size: Int) -> UInt64 {
    size == 4 ? UInt64(uint32(at: 0)) : uint64(at: 0)
  }
}

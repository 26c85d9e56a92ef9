import Support

/// Bytecode of JavaScript engines, with a signature of two bytes or without one.
enum ScriptEngines {
  /// Recognizes V8's code cache (code-serializer.h, SerializedCodeData), which begins with 32-bit numbers. The first
  /// number is 0xC0DE0000 with a count of references in its lower half. The fifth, sixth or ninth number is the length of
  /// the data after the header.
  static func v8(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard let references = head.uint16(at: 0, .little), references < 0x2000 else { return nil }
    let isSized = [16, 20, 32].contains { position in
      guard let length = head.uint32(at: position, .little).map(Int64.init) else { return false }
      return length > 0 && length < file.size && file.size - length <= 64
    }
    return isSized ? .possibleCode("JavaScript bytecode (V8)") : nil
  }

  /// The versions that QuickJS and QuickJS-NG have written (quickjs.c, JS_WriteObjectAtoms and BC_VERSION).
  static let quickJSVersions = Array(UInt8(1)...UInt8(32)) + Array(UInt8(0x41)...UInt8(0x45))

  /// Recognizes a version, an optional checksum, a table of names, and the tag of a function or module.
  static func quickJS(_ head: Span<UInt8>) -> Recognition? {
    // Only later versions of QuickJS-NG have the checksum.
    let mayHaveChecksum = head.all(0..<1) { (11..<0x40).contains($0) }
    for hasChecksum in mayHaveChecksum ? [true, false] : [false] {
      for hasTypes in [false, true] {
        var names = Names(position: hasChecksum ? 5 : 1, hasTypes: hasTypes)
        if names.areFollowedByCode(head) { return .possibleCode("JavaScript bytecode (QuickJS)") }
      }
    }
    return nil
  }

  /// Parses the table of names of QuickJS.
  private struct Names {
    var position: Int
    let hasTypes: Bool
    /// The total length of the names so far, in bytes.
    private var length = 0
    /// The minimum total length of the names, in bytes. Every script has at least the name of its file.
    private static let minimumLength = 3
    /// The number of valid names after which no tag is required, because the excerpt may end before the tag.
    private static let sufficientCount = 16

    init(position: Int, hasTypes: Bool) {
      self.position = position
      self.hasTypes = hasTypes
    }

    /// Returns whether the table has enough valid names, followed by a function or module.
    mutating func areFollowedByCode(_ head: Span<UInt8>) -> Bool {
      guard let count = number(head), count > 0, count < 1 << 20 else { return false }
      for index in 0..<count {
        guard position < head.count else { return index >= Self.sufficientCount }
        if hasTypes {
          let type = head[position]
          position += 1
          if type == 0 {
            position += 4
            continue
          }
          guard type <= 4 else { return false }
        }
        guard let length = number(head), length & 1 == 0 else { return false }
        let end = position + length >> 1
        guard end <= head.count else { return index >= Self.sufficientCount }
        self.length += end - position
        guard end > position, head.all(position..<end, { $0 > 0x20 && $0 < 0x7F }) else { return false }
        position = end
      }
      return length >= Self.minimumLength && position < head.count && (12...15).contains(head[position])
    }

    /// Reads a number in groups of seven bits (LEB128).
    private mutating func number(_ head: Span<UInt8>) -> Int? {
      var result = 0
      for shift in stride(from: 0, to: 28, by: 7) {
        guard position < head.count else { return nil }
        let byte = head[position]
        position += 1
        result |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return result }
      }
      return nil
    }
  }
}

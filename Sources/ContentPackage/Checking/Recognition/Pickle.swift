import Support

/// Python pickles, which can call any function when they are read.
///
/// A pickle is a program for a small virtual machine (CPython's pickletools.py). Only pickles since protocol 2 have a
/// signature, so the first operations are checked instead.
enum Pickle {
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    var program = PickleProgram(sizeOfFile: file.size)
    return program.isValid(file.head.borrowedSpan) ? .possibleCode("a Python pickle") : nil
  }

  /// The first operations of pickles of older protocols: a mark, a function, or an object.
  static let firstTextOperations = Array("(cILFSVN])}KJMUTXGBC".utf8)
}

/// Parses the operations of a pickle without performing them.
private struct PickleProgram {
  let sizeOfFile: Int64
  private var position = 0
  private var operations = 0
  private var marks = 0
  private var hasProtocol = false
  /// Flags for a named function or class, and for a call.
  private var (hasName, hasCall) = (false, false)
  private var hasMemo = false

  init(sizeOfFile: Int64) { self.sizeOfFile = sizeOfFile }

  /// Returns whether the bytes are a likely pickle: valid operations up to the STOP operation, or up to the end of an
  /// incomplete excerpt.
  mutating func isValid(_ bytes: Span<UInt8>) -> Bool {
    hasProtocol = bytes.count > 1 && bytes[0] == 0x80 && (2...5).contains(bytes[1])
    while position < bytes.count {
      let operation = bytes[position]
      position += 1
      operations += 1
      if operation == UInt8(ascii: ".") {
        return operations > 1 && isLikely(endsFile: position == sizeOfFile)
      }
      guard let length = lengthOfArgument(operation, bytes) else { return false }
      position = position.addingReportingOverflow(length).partialValue
      guard position > 0 else { return false }
    }
    return sizeOfFile > bytes.count && operations > 1 && isLikely(endsFile: true)
  }

  /// Returns whether text is unlikely to contain the operations by chance.
  private func isLikely(endsFile: Bool) -> Bool {
    hasProtocol || hasName && hasCall || hasMemo && operations > 3 && endsFile
  }

  /// Returns the length of the operation's argument in bytes; nil if the operation or its argument is invalid.
  private mutating func lengthOfArgument(_ operation: UInt8, _ bytes: Span<UInt8>) -> Int? {
    switch operation {
    case UInt8(ascii: "("):
      marks += 1
      return 0
    // APPENDS, SETITEMS, ADDITEMS, DICT, LIST, TUPLE, POP_MARK, FROZENSET, OBJ and INST need a mark.
    case _ where "euldt1o".utf8.contains(operation) || operation == 0x90 || operation == 0x91:
      guard marks > 0 else { return nil }
      marks -= 1
      hasCall = hasCall || operation == UInt8(ascii: "o")
      return 0
    case UInt8(ascii: "i"):
      guard marks > 0 else { return nil }
      marks -= 1
      (hasName, hasCall) = (true, true)
      return lengthOfName(bytes)
    case UInt8(ascii: "c"):
      hasName = true
      return lengthOfName(bytes)
    case 0x93:
      hasName = true
      return 0
    // REDUCE, BUILD, NEWOBJ and NEWOBJ_EX.
    case UInt8(ascii: "R"), UInt8(ascii: "b"), 0x81, 0x92:
      hasCall = true
      return 0
    case UInt8(ascii: "p"), UInt8(ascii: "q"), UInt8(ascii: "r"):
      hasMemo = true
      return Self.lengths[operation] ?? lengthOfLine(operation, bytes)
    case 0x95:
      guard let length = bytes.number(at: position, bytes: 8, .little) else { return bytes.count }
      return length <= UInt64(clamping: sizeOfFile) ? 8 : nil
    default:
      if let length = Self.lengths[operation] { return length }
      if let width = Self.widths[operation] {
        // The excerpt ends before the length of the argument, so the check ends here.
        guard let length = bytes.number(at: position, bytes: width, .little) else { return bytes.count }
        return length <= UInt64(clamping: sizeOfFile) ? width + Int(clamping: min(length, 1 << 40)) : nil
      }
      return lengthOfLine(operation, bytes)
    }
  }

  /// The lengths of the arguments with a fixed length, in bytes.
  private static let lengths: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: [
      (0, Array("02N])}asQ".utf8) + [0x85, 0x86, 0x87, 0x88, 0x89, 0x8F, 0x94, 0x97, 0x98]),
      (1, Array("Khq".utf8) + [0x80, 0x82]), (2, Array("M".utf8) + [0x83]), (4, Array("Jjr".utf8) + [0x84]),
      (8, Array("G".utf8)),
    ].flatMap { length, operations in operations.map { ($0, length) } })

  /// The widths of the length fields before arguments of variable length, in bytes.
  private static let widths: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: [
      (1, Array("UC".utf8) + [0x8A, 0x8C]), (4, Array("TXB".utf8) + [0x8B]), (8, [0x8D, 0x8E, 0x96]),
    ].flatMap { width, operations in operations.map { ($0, width) } })

  /// Returns the length of an argument that is a line of text, with its line feed; nil if it is invalid.
  private func lengthOfLine(_ operation: UInt8, _ bytes: Span<UInt8>) -> Int? {
    guard let isWanted = Self.lines[operation] else { return nil }
    var end = position
    while end < bytes.count, bytes[end] != 0x0A {
      guard isWanted(bytes[end]) else { return nil }
      end += 1
    }
    // The excerpt ends before the text.
    if position == bytes.count { return 0 }
    if operation == UInt8(ascii: "S"), !"'\"".utf8.contains(bytes[position]) { return nil }
    return end > position || operation == UInt8(ascii: "V") ? end + 1 - position : nil
  }

  /// Returns the length of two lines, a module and a name in it; nil if they are invalid.
  private func lengthOfName(_ bytes: Span<UInt8>) -> Int? {
    var (end, lines) = (position, 0)
    while end < bytes.count, lines < 2 {
      let byte = bytes[end]
      let isName = byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      guard isName || byte == 0x0A && end > position && bytes[end - 1] != 0x0A else { return nil }
      if byte == 0x0A { lines += 1 }
      end += 1
    }
    return end - position
  }

  /// The valid characters of each kind of text line.
  private static let lines: [UInt8: @Sendable (UInt8) -> Bool] = [
    UInt8(ascii: "I"): { $0.isDigit || $0 == UInt8(ascii: "-") },
    UInt8(ascii: "L"): { $0.isDigit || "-L".utf8.contains($0) },
    UInt8(ascii: "F"): { $0.isDigit || "+-.einfa".utf8.contains($0) },
    UInt8(ascii: "S"): { $0 >= 0x20 }, UInt8(ascii: "V"): { $0 > 0 }, UInt8(ascii: "P"): { $0 >= 0x20 },
    UInt8(ascii: "g"): \.isDigit, UInt8(ascii: "p"): \.isDigit,
  ]
}

/// Which bytes of an object a request asks for (RFC 9110, section 14).
enum ByteSelection: Equatable {
  /// All of them: there is no `Range`, or none that is answered by a part.
  case whole
  case part(Range<Int64>)
  /// No byte of the object is in the range: 416.
  case unsatisfiable

  private static let unit = "bytes="

  /// Reads the value of `Range`. What is not well formed, another unit, and several ranges ask for the whole object, as
  /// section 14.2 allows.
  init(header: String?, byteCount: Int64) {
    guard let header, header.lowercased().hasPrefix(Self.unit) else {
      self = .whole
      return
    }
    let ends = header.dropFirst(Self.unit.count).split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.trimming { $0 == " " || $0 == "\t" } }
    guard ends.count == 2, ends.allSatisfy(Self.areDigits), ends.contains(where: { !$0.isEmpty }) else {
      self = .whole
      return
    }
    self = Self.selection(first: ends[0], last: ends[1], byteCount)
  }

  private static func selection(first: Substring, last: Substring, _ byteCount: Int64) -> ByteSelection {
    guard !first.isEmpty else {
      let suffix = number(last)
      guard suffix > 0 else { return .unsatisfiable }
      return suffix >= byteCount
        ? (byteCount == 0 ? .whole : .part(0..<byteCount)) : .part(byteCount - suffix..<byteCount)
    }
    let start = number(first)
    let end = last.isEmpty ? .max : number(last)
    guard start <= end else { return .whole }
    guard start < byteCount else { return .unsatisfiable }
    return .part(start..<min(end, byteCount - 1) + 1)
  }

  /// Digits alone; what is larger than any object counts as the largest number.
  private static func number(_ digits: Substring) -> Int64 { Int64(digits) ?? .max }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Substring {
  /// The text without what `isSpace` accepts at its ends.
  func trimming(_ isSpace: (Character) -> Bool) -> Substring {
    var text = drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}

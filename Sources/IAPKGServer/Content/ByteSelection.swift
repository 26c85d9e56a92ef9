/// The bytes of an object that a request selects (RFC 9110, section 14).
enum ByteSelection: Equatable {
  /// The whole object: there is no `Range`, or its value is ignored.
  case whole
  case part(Range<Int64>)
  /// The range is outside the object: status 416.
  case unsatisfiable

  private static let unit = "bytes="

  /// Parses the value of `Range`. A malformed value, another unit, or several ranges select the whole object, as
  /// section 14.2 permits.
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

  /// Parses digits. A number that is too large becomes the maximum, which exceeds the size of any object.
  private static func number(_ digits: Substring) -> Int64 { Int64(digits) ?? .max }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Substring {
  /// Returns the text without the leading and trailing characters that `isSpace` accepts.
  func trimming(_ isSpace: (Character) -> Bool) -> Substring {
    var text = drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}

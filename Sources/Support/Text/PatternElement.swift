/// An element of a pattern.
package enum PatternElement: Sendable {
  case byte(UInt8)
  /// Any byte but a slash.
  case any
  /// One of these bytes.
  case set(Set<UInt8>)
  /// Any number of bytes other than slashes.
  case star
  /// Any number of bytes.
  case deepStar
  /// Any number of folders, each with its slash.
  case folders

  package static let slash = UInt8(ascii: "/")
  static let backslash = UInt8(ascii: "\\")

  /// Parses a pattern.
  ///
  /// - Returns: Nil for an invalid pattern, which matches nothing, as in git.
  static func elements(of pattern: ArraySlice<UInt8>) -> [PatternElement]? {
    var elements: [PatternElement] = []
    var rest = pattern
    // git compares the literal prefix separately, so the first special character counts as the start of the pattern.
    var isStart = true
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        let before = rest.startIndex - 2
        elements.append(
          stars(&rest, atStart: isStart || before < pattern.startIndex || pattern[before] == slash))
      case UInt8(ascii: "?"):
        elements.append(.any)
      case UInt8(ascii: "["):
        guard let set = PatternSet.parse(&rest) else { return nil }
        elements.append(.set(set.subtracting([slash])))
      case backslash:
        guard let literal = rest.popFirst() else { return nil }
        elements.append(.byte(literal))
      default:
        elements.append(.byte(byte))
        continue
      }
      isStart = false
    }
    return elements
  }

  /// Parses one or more stars, the first of which is no longer in `rest`. Several stars are special only between
  /// slashes.
  private static func stars(_ rest: inout ArraySlice<UInt8>, atStart isStart: Bool) -> PatternElement {
    guard rest.first == UInt8(ascii: "*") else { return .star }
    rest = rest.drop { $0 == UInt8(ascii: "*") }
    guard isStart else { return .star }
    if rest.first == slash {
      rest.removeFirst()
      return .folders
    }
    return rest.isEmpty || rest.starts(with: [backslash, slash]) ? .deepStar : .star
  }

  /// Returns whether elements match a whole path.
  ///
  /// On a mismatch, retries from the last star, or, if the star would have to match a slash, from the last `deepStar`
  /// or `folders`. No earlier element needs a retry.
  static func match(_ elements: [PatternElement], _ path: ArraySlice<UInt8>) -> Bool {
    var (element, index) = (0, path.startIndex)
    var deep: (element: Int, index: Int)?
    var star: (element: Int, index: Int)?
    while true {
      if element == elements.endIndex {
        if index == path.endIndex { return true }
      } else {
        switch elements[element] {
        case .star:
          star = (element, index)
          element += 1
          continue
        case .deepStar, .folders:
          (deep, star) = ((element, index), nil)
          element += 1
          continue
        case let single where index < path.endIndex && single.matches(path[index]):
          (element, index) = (element + 1, index + 1)
          continue
        default: break
        }
      }
      if let last = star, last.index < path.endIndex, path[last.index] != slash {
        (element, index) = (last.element + 1, last.index + 1)
        star?.index = index
      } else if let last = deep, let next = elements[last.element].next(after: last.index, in: path) {
        (element, index) = (last.element + 1, next)
        deep?.index = next
        star = nil
      } else {
        return false
      }
    }
  }

  /// Returns whether an element for a single byte matches the byte.
  private func matches(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let own): own == byte
    case .any: byte != Self.slash
    case .set(let bytes): bytes.contains(byte)
    case .star, .deepStar, .folders: false
    }
  }

  /// Returns the next index at which a `deepStar` or `folders` can end; nil if there is none.
  private func next(after index: Int, in path: ArraySlice<UInt8>) -> Int? {
    guard case .folders = self else { return index < path.endIndex ? index + 1 : nil }
    return path[index...].firstIndex(of: Self.slash).map { $0 + 1 }
  }
}

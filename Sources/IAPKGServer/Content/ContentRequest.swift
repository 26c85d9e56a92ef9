import HTTPTypes

/// What a request says about the state of an object that the client has, and about the part that it wants.
struct ContentRequest: Equatable {
  var isHead = false
  var range: String?
  var ifRange: String?
  var ifNoneMatch: String?
  var ifModifiedSince: String?

  init(isHead: Bool = false) { self.isHead = isHead }

  init(_ head: HTTPRequest) {
    isHead = head.method == .head
    range = head.headerFields[.range]
    ifRange = head.headerFields[.ifRange]
    ifNoneMatch = head.headerFields[.ifNoneMatch]
    ifModifiedSince = head.headerFields[.ifModifiedSince]
  }

  /// Which bytes are asked for. Ranges count only for GET, and only if the object is the one that `If-Range` names
  /// (RFC 9110, sections 13.1.5 and 14.2). A time of change within the minute before `now` (seconds since 1970) does not
  /// tell two states apart.
  func selection(of state: ContentState, now: Int64) -> ByteSelection {
    guard !isHead, isCurrent(state, now: now) else { return .whole }
    return ByteSelection(header: range, byteCount: state.byteCount)
  }

  /// Whether the client has this state already (RFC 9110, section 13.2.2). A time must be the very one that it was
  /// told.
  func isKnown(_ state: ContentState) -> Bool {
    if let ifNoneMatch {
      return ifNoneMatch.split(separator: ",").contains { part in
        let tag = part.trimming { $0 == " " || $0 == "\t" }
        return tag == "*" || tag == state.tag || tag == "W/" + state.tag
      }
    }
    return ifModifiedSince == HTTPDate(seconds: state.modified).description
  }

  private func isCurrent(_ state: ContentState, now: Int64) -> Bool {
    guard let ifRange else { return true }
    if ifRange == state.tag { return true }
    return ifRange == HTTPDate(seconds: state.modified).description && now - state.modified >= 60
  }
}

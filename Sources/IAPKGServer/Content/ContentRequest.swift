import HTTPTypes

/// The conditions and the range of a request for an object.
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

  /// Returns the selected bytes. Ranges apply only to GET, and only if the object matches `If-Range` (RFC 9110,
  /// sections 13.1.5 and 14.2). A modification time within the minute before `now` (seconds since 1970) cannot
  /// distinguish two states.
  func selection(of state: ContentState, now: Int64) -> ByteSelection {
    guard !isHead, isCurrent(state, now: now) else { return .whole }
    return ByteSelection(header: range, byteCount: state.byteCount)
  }

  /// Returns whether the client already has this state (RFC 9110, section 13.2.2). `If-Modified-Since` must match exactly.
  func isKnown(_ state: ContentState) -> Bool {
    if let ifNoneMatch { return Self.names(state.tag, in: ifNoneMatch) }
    return ifModifiedSince == HTTPDate(seconds: state.modified).description
  }

  /// Returns whether `If-None-Match` names a tag (RFC 9110, section 13.1.2): a list of weak or strong tags, or `*`.
  static func names(_ tag: String, in ifNoneMatch: String) -> Bool {
    ifNoneMatch.split(separator: ",").contains { part in
      let named = part.trimming { $0 == " " || $0 == "\t" }
      return named == "*" || named == tag || named == "W/" + tag
    }
  }

  private func isCurrent(_ state: ContentState, now: Int64) -> Bool {
    guard let ifRange else { return true }
    if ifRange == state.tag { return true }
    return ifRange == HTTPDate(seconds: state.modified).description && now - state.modified >= 60
  }
}

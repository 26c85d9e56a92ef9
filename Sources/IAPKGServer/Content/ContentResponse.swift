import HTTPTypes

/// The response for an object of a store: its head and the range of bytes to send.
struct ContentResponse {
  var status: HTTPResponse.Status
  var fields: HTTPFields
  /// The range of bytes to send; nil if the response has no body.
  var body: Range<Int64>?

  /// Creates the response from the state of an object.
  init(_ request: ContentRequest, _ state: ContentState, offersRanges: Bool = true, now: Int64) {
    var fields: HTTPFields = [
      .eTag: state.tag, .lastModified: HTTPDate(seconds: state.modified).description,
      .cacheControl: state.cacheControl, .contentType: state.contentType,
    ]
    if offersRanges { fields[.acceptRanges] = "bytes" }
    if request.isKnown(state) {
      fields[.contentType] = nil
      self.init(.notModified, fields, nil, byteCount: state.byteCount)
      return
    }
    switch offersRanges ? request.selection(of: state, now: now) : .whole {
    case .whole:
      let body = request.isHead ? nil : 0..<state.byteCount
      self.init(.ok, fields, body, byteCount: state.byteCount)
    case .part(let range):
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(state.byteCount)"
      self.init(.partialContent, fields, range, byteCount: Int64(range.count))
    case .unsatisfiable:
      fields[.contentRange] = "bytes */\(state.byteCount)"
      fields[.contentType] = nil
      fields[.cacheControl] = "no-store"
      self.init(.rangeNotSatisfiable, fields, nil, byteCount: 0)
    }
  }

  private init(
    _ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: Range<Int64>?, byteCount: Int64
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.fields[.contentLength] = String(byteCount)
  }
}

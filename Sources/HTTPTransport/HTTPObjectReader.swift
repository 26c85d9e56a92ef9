/// Reads an object or a range of it sequentially, and resumes after interruptions; belongs to one thread.
package final class HTTPObjectReader {
  private let client: HTTPClient
  /// The noun for the object, for messages.
  private let kind: String
  private let open: (Range<Int64>?) throws -> HTTPResponse
  private let translate: (HTTPError) -> any Error
  private var reading: RangeReading
  /// The response being read.
  private var response: HTTPResponse?
  private var isAtEnd: Bool
  /// The content encoding of the last response, which no request asks for; nil if there is none.
  package private(set) var contentEncoding: String?
  /// Whether the next bytes begin a complete response, which may be a web page instead of the object.
  private var isPossiblePage = false
  /// The number of consecutive errors without sufficient progress, and the position at the last one.
  private var errors = (count: 0, position: Int64(0))

  /// Creates a reader, without sending a request.
  ///
  /// - Parameters:
  ///   - range: The range to read; nil for the whole object. An empty range needs no request.
  ///   - name: The object, for messages.
  ///   - byteCount: The known size of an object whose digest the caller verifies, in bytes; otherwise nil.
  ///   - kind: The noun for the object in messages, such as "a catalog".
  ///   - client: Retries after transient errors.
  ///   - translate: Returns the error to throw for an error of the transport.
  ///   - open: Requests a range, or the whole object for nil, and returns a successful response.
  package init(
    _ range: Range<Int64>?, of name: String, byteCount: Int64? = nil, kind: String, by client: HTTPClient,
    translatingErrors translate: @escaping (HTTPError) -> any Error = { $0 },
    open: @escaping (Range<Int64>?) throws -> HTTPResponse
  ) {
    self.kind = kind
    self.client = client
    self.open = open
    self.translate = translate
    isAtEnd = range?.isEmpty ?? false
    reading = RangeReading(wanted: range, name: name, byteCount: byteCount)
  }

  /// Waits for the next bytes, and replaces the contents of `buffer` with them. Each byte is delivered exactly once.
  ///
  /// - Returns: False at the end.
  /// - Throws: The translation of an `HTTPError`: `.tooSlow` if responses stall repeatedly, `.unexpectedResponse` if
  ///   responses do not match the request after all retries, `.rangeIgnored` for the whole object instead of a range;
  ///   `Interruption`; the other errors of `open`.
  package func next(_ buffer: inout [UInt8]) throws -> Bool {
    if isAtEnd { return false }
    do {
      return try client.retrying {
        do { return try readNext(&buffer) } catch {
          response = nil
          if let error = error as? HTTPError, error.isTransient { try countError(error) }
          throw error
        }
      }
    } catch let error as HTTPError {
      throw translate(error)
    }
  }

  /// Counts errors with little progress: a few bytes before each error would otherwise prolong a transfer by days.
  private func countError(_ error: HTTPError) throws(HTTPError) {
    let isProgress = reading.position - errors.position >= client.minimumProgress
    let isSilent = reading.position == errors.position && error.reason != .stalled
    errors = (isProgress ? 1 : errors.count + 1, reading.position)
    // `retrying` counts errors without a byte between them.
    guard errors.count >= client.retries.attempts, !isSilent else { return }
    throw error.reason == .stalled
      ? HTTPError(.tooSlow, "\(reading.name): almost no bytes arrived, \(errors.count) times in a row")
      : HTTPError(
        .tooSlow, "\(error.message), \(errors.count) times in a row with almost no bytes in between")
  }

  private func readNext(_ buffer: inout [UInt8]) throws -> Bool {
    while let response = try current(), try response.next(&buffer) {
      if isPossiblePage, WebPage.begins(with: buffer) {
        throw HTTPError(.unexpectedResponse, WebPage.message(at: reading.name, expected: kind))
      }
      isPossiblePage = false
      let known = try reading.receive(buffer.count)
      guard known < buffer.count else { continue }
      buffer.removeFirst(known)
      return true
    }
    if response != nil { try reading.finish() }
    response = nil
    isAtEnd = true
    return false
  }

  /// Returns the current response, or requests the next; nil if everything was received.
  private func current() throws -> HTTPResponse? {
    if let response { return response }
    guard !reading.isDone else { return nil }
    let response = try open(reading.next)
    contentEncoding = response.head.contentEncoding
    isPossiblePage = response.head.status == 200
    if isPossiblePage, reading.wanted != nil {
      // A web page instead of a range does not mean that the server ignores ranges.
      var block: [UInt8] = []
      if response.head["content-type"]?.lowercased().hasPrefix("text/html") ?? false,
        try response.next(&block),
        WebPage.begins(with: block)
      {
        throw HTTPError(.unexpectedResponse, WebPage.message(at: reading.name, expected: kind))
      }
    }
    try reading.begin(response.head)
    self.response = response
    return response
  }
}

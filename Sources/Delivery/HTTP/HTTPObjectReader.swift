/// Reads an object, or a part of it, in order, and goes on where an answer broke off; belongs to one thread.
package final class HTTPObjectReader {
  private let client: HTTPClient
  private let open: (Range<Int64>?) throws -> HTTPAnswer
  private var reading: RangeReading
  /// The answer that is being read.
  private var answer: HTTPAnswer?
  private var isAtEnd = false
  /// The compression that the last answer had, which was not asked for.
  private(set) var contentEncoding: String?
  /// Whether the next bytes are the first of an answer that is all of an object, or a page in its place.
  private var isPossiblePage = false
  /// The number of errors in a row without any progress to speak of, and the position at the last one.
  private var errors = (count: 0, position: Int64(0))

  /// Nothing is asked for yet.
  ///
  /// - Parameters:
  ///   - range: what is wanted; nil for all of it.
  ///   - name: the object, for messages.
  ///   - client: tries again what fails for a reason that passes.
  ///   - open: asks for a range, or for all with nil, and returns the answer if that is a success.
  package init(
    _ range: Range<Int64>?, of name: String, by client: HTTPClient,
    open: @escaping (Range<Int64>?) throws -> HTTPAnswer
  ) {
    self.client = client
    self.open = open
    reading = RangeReading(wanted: range, name: name)
  }

  /// Waits for the next bytes, and puts them in the place of what `buffer` has; each comes exactly once.
  ///
  /// - Returns: false at the end.
  /// - Throws: `HTTPError`, with `.tooSlow` where answers stall again and again, with `.wrongAnswer` for answers that are
  ///   not what was asked for, after all retries, and `.rangeIgnored` for one that is the whole object in place of a
  ///   range; `Interruption`; what `open` throws.
  package func next(_ buffer: inout [UInt8]) throws -> Bool {
    if isAtEnd { return false }
    return try client.retrying {
      do { return try take(&buffer) } catch {
        answer = nil
        if let error = error as? HTTPError, error.isTransient { try countError(error) }
        throw error
      }
    }
  }

  /// A few bytes before each error would go on for days.
  private func countError(_ error: HTTPError) throws(HTTPError) {
    let isProgress = reading.position - errors.position >= client.minimumProgress
    let isSilent = reading.position == errors.position && error.reason != .stalled
    errors = (isProgress ? 1 : errors.count + 1, reading.position)
    // Errors without a byte in between are counted by `retrying`.
    guard errors.count >= client.retries.attempts, !isSilent else { return }
    throw error.reason == .stalled
      ? HTTPError(.tooSlow, "\(reading.name): next to nothing came, \(errors.count) times in a row")
      : HTTPError(
        .tooSlow, "\(error.message), \(errors.count) times in a row with next to nothing in between")
  }

  private func take(_ buffer: inout [UInt8]) throws -> Bool {
    while let answer = try current(), try answer.next(&buffer) {
      if isPossiblePage, WebPage.begins(with: buffer) {
        throw HTTPError(.wrongAnswer, WebPage.message(at: reading.name))
      }
      isPossiblePage = false
      let known = try reading.take(buffer.count)
      guard known < buffer.count else { continue }
      buffer.removeFirst(known)
      return true
    }
    if answer != nil { try reading.finish() }
    answer = nil
    isAtEnd = true
    return false
  }

  /// The answer that is being read, or the next one; nil if everything has come.
  private func current() throws -> HTTPAnswer? {
    if let answer { return answer }
    guard !reading.isDone else { return nil }
    let answer = try open(reading.next)
    contentEncoding = answer.head.contentEncoding
    isPossiblePage = answer.head.status == 200
    if isPossiblePage, reading.wanted != nil {
      // A page in place of a part does not mean that the server ignores ranges.
      var block: [UInt8] = []
      if answer.head["content-type"]?.lowercased().hasPrefix("text/html") ?? false, try answer.next(&block),
        WebPage.begins(with: block)
      {
        throw HTTPError(.wrongAnswer, WebPage.message(at: reading.name))
      }
    }
    try reading.begin(answer.head)
    self.answer = answer
    return answer
  }
}

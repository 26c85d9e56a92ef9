/// Reads an object, or a part of it, in order, and goes on where an answer broke off; belongs to one thread.
package final class HTTPObjectReader {
  private let client: HTTPClient
  private let open: (Range<Int64>?) throws -> HTTPAnswer
  private var reading: RangeReading
  /// The answer that is being read.
  private var answer: HTTPAnswer?
  private var isAtEnd = false
  /// How often in a row the answer stalled before there was any progress to speak of, and where it did so last.
  private var stalls = (count: 0, position: Int64(0))

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
        if (error as? HTTPError)?.reason == .stalled { try countStall() }
        throw error
      }
    }
  }

  /// A few bytes before each stall would go on for days.
  private func countStall() throws(HTTPError) {
    let isProgress = reading.position - stalls.position >= client.leastProgress
    stalls = (isProgress ? 1 : stalls.count + 1, reading.position)
    guard stalls.count < client.retries.attempts else {
      throw HTTPError(
        .tooSlow, "\(reading.name): next to nothing came, \(stalls.count) times in a row")
    }
  }

  private func take(_ buffer: inout [UInt8]) throws -> Bool {
    while let answer = try current(), try answer.next(&buffer) {
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
    try reading.begin(answer.head)
    self.answer = answer
    return answer
  }
}

/// The answer to a request, whose body comes as it is taken; belongs to one thread. Nobody need take all of it.
package final class HTTPAnswer {
  /// Any status is an answer, redirections too.
  package let head: HTTPHead
  private let connection: HTTPConnection

  /// Who has answered, behind all redirections.
  package var address: HTTPAddress { connection.exchange.request.address }

  /// Waits for the header.
  ///
  /// - Throws: `HTTPError`, `Interruption`, `TransferPaused`.
  init(from connection: HTTPConnection) throws {
    self.connection = connection
    while true {
      if let head = connection.exchange.answer {
        self.head = head
        return
      }
      guard try connection.goOn() else {
        throw HTTPError(
          .unreachable, "\(connection.exchange.request.address) ended without an answer")
      }
    }
  }

  /// Waits for the next bytes of the body, and puts them in the place of what `buffer` has.
  ///
  /// - Returns: false at the end.
  /// - Throws: as `init`.
  package func next(_ buffer: inout [UInt8]) throws -> Bool {
    while !connection.exchange.takeUnread(into: &buffer) {
      guard try connection.goOn() else { return false }
    }
    return true
  }

  /// Reads a short body to its end, so that the connection can be used again. A longer one is not worth that.
  ///
  /// - Throws: as `init`.
  func skipBody() throws {
    do {
      _ = try body(atMost: HTTPLimits.errorBytes)
    } catch let error as HTTPError where error.reason == .tooLarge {
      // The connection ends with the answer.
    }
  }

  /// All that is left of the body.
  ///
  /// - Throws: as `init`; `HTTPError` with `.tooLarge` if that has more than `limit` bytes.
  package func body(atMost limit: Int = .max) throws -> [UInt8] {
    var body: [UInt8] = []
    var block: [UInt8] = []
    while try next(&block) {
      guard body.count + block.count <= limit else {
        throw HTTPError(
          .tooLarge, "\(address) has more than \(limit) bytes")
      }
      body += block
    }
    return body
  }
}

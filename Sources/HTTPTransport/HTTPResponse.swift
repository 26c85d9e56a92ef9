/// The response to a request, whose body is streamed; belongs to one thread. The body need not be read to its end.
package final class HTTPResponse {
  /// The status and the header fields. Redirects and errors are responses too.
  package let head: HTTPHead
  private let connection: HTTPConnection

  /// The address of the server that responded.
  package var address: HTTPAddress { connection.exchange.request.address }

  /// Waits for the header.
  ///
  /// - Throws: `HTTPError`, `Interruption`, `TransferPaused`.
  init(from connection: HTTPConnection) throws {
    self.connection = connection
    while true {
      if let head = connection.exchange.responseHead {
        self.head = head
        return
      }
      guard try connection.advance() else {
        throw HTTPError(
          .unreachable, "\(connection.exchange.request.address) closed the connection without a response")
      }
    }
  }

  /// Waits for the next bytes of the body, and replaces the contents of `buffer` with them.
  ///
  /// - Returns: False at the end.
  /// - Throws: The errors of `init`.
  package func next(_ buffer: inout [UInt8]) throws -> Bool {
    while !connection.exchange.takeUnread(into: &buffer) {
      guard try connection.advance() else { return false }
    }
    return true
  }

  /// Reads a short body to its end, so that the connection can be reused. The rest of a longer body is not read.
  ///
  /// - Throws: The errors of `init`.
  package func skipBody() throws {
    do {
      _ = try body(atMost: HTTPLimits.maximumErrorBodySize)
    } catch let error as HTTPError where error.reason == .tooLarge {
      // The connection closes with the response.
    }
  }

  /// Reads the rest of the body.
  ///
  /// - Throws: The errors of `init`; `HTTPError` with `.tooLarge` if it has more than `limit` bytes.
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

package import SafeFiles
import Support

/// A failed HTTP request.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
  /// The reason of the failure.
  package enum Reason: Sendable, Equatable {
    /// The address is invalid or not `http` or `https`, or a header cannot be sent.
    case invalidRequest
    /// The connection failed or was lost.
    case unreachable
    /// Almost no bytes arrived for too long.
    case stalled
    /// The transfer stalled too often in a row.
    case tooSlow
    /// An HTTP/2 stream or connection ended with a protocol error.
    case stream
    /// The server does not speak TLS, its certificate is not trusted, or the CA file cannot be read.
    case untrusted
    /// A redirect to another protocol, from `https` to `http`, or beyond the maximum number.
    case redirect
    /// The server responded with this status.
    case status(Int)
    /// The server requires a token, and the request had none or an invalid one.
    case unauthorized
    /// The server lacks an object that the catalog refers to.
    case missing
    /// The server ignored the range and sent the whole object.
    case rangeIgnored
    /// The response does not match the request: another range, too few bytes, another object.
    case unexpectedResponse
    /// The response exceeds the size limit.
    case tooLarge
    /// The request body could not be read.
    case body(SourceError)
    /// The system or the process has no memory, thread, descriptor or disk space left.
    case exhausted
  }

  package let reason: Reason
  /// One lower-case sentence without a full stop, safe to print.
  package let message: String
  /// The delay that the server requests before the next attempt; nil if it requests none.
  package let retryAfter: Duration?

  /// Creates an error, and makes `message` safe to print.
  package init(_ reason: Reason, _ message: String, retryAfter: Duration? = nil) {
    self.reason = reason
    self.message = String(displaying: message.utf8)
    self.retryAfter = retryAfter
  }

  /// The same as `message`.
  package var description: String { message }

  /// Returns the error with the delay that the server requests in its message.
  func naming(wait: Duration) -> HTTPError {
    HTTPError(
      reason, "\(message); the server asks to wait \(wait.components.seconds) s", retryAfter: retryAfter)
  }

  /// Whether the same request may succeed shortly afterwards.
  package var isTransient: Bool {
    switch reason {
    case .unreachable, .stalled, .stream, .unexpectedResponse: true
    case .status(let status): [408, 425, 429, 500, 502, 503, 504, 511].contains(status)
    case .tooSlow, .invalidRequest, .untrusted, .redirect, .unauthorized, .missing, .rangeIgnored, .tooLarge,
      .body, .exhausted:
      false
    }
  }
}

package import SafeFiles
import Support

/// Why a request over HTTP has no answer that can be used.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    /// The address is none, or is not `http` or `https`; a header cannot be sent.
    case invalidRequest
    /// There is no connection, or it broke off.
    case unreachable
    /// Next to nothing came for too long.
    case stalled
    /// That has happened too often in a row.
    case tooSlow
    /// An HTTP/2 stream or connection ended with an error of the protocol.
    case stream
    /// The server's certificate is not to be trusted, or the file of certificates cannot be read.
    case untrusted
    /// A redirection to another protocol, from `https` to `http`, or one too many.
    case redirect
    /// The server answered with this status.
    case status(Int)
    /// The server does not have an object that the catalog refers to.
    case missing
    /// A range was asked for, and the server sent everything.
    case rangeIgnored
    /// What came is not what was asked for: another range, too few bytes, another object.
    case wrongAnswer
    /// The answer has more bytes than it may have.
    case tooLarge
    /// What was to be sent could not be read.
    case body(SourceError)
    /// The system has no memory or thread left.
    case exhausted
  }

  package let reason: Reason
  /// One lower-case sentence without a full stop, safe to print.
  package let message: String
  /// How long the server asks to wait before the next try.
  package let retryAfter: Duration?

  package init(_ reason: Reason, _ message: String, retryAfter: Duration? = nil) {
    self.reason = reason
    self.message = String(displaying: message.utf8)
    self.retryAfter = retryAfter
  }

  package var description: String { message }

  /// Whether the same request may succeed a little later.
  package var isTransient: Bool {
    switch reason {
    case .unreachable, .stalled, .stream, .wrongAnswer, .missing: true
    case .status(let status): [408, 425, 429, 500, 502, 503, 504, 511].contains(status)
    case .tooSlow, .invalidRequest, .untrusted, .redirect, .rangeIgnored, .tooLarge, .body, .exhausted: false
    }
  }
}

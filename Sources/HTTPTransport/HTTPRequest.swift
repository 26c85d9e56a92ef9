package import SafeFiles

/// A request, which can be sent repeatedly.
package struct HTTPRequest: Sendable {
  /// The method of a request (RFC 9110, section 9).
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package var method: Method
  package var address: HTTPAddress
  /// The header fields, besides those that the transport sets.
  package var headers: [HTTPHeader]
  /// The body; nil for none.
  package var body: HTTPBody?
  /// The requested range; nil for everything.
  package var range: Range<Int64>?
  /// The maximum size of the response body in bytes.
  package var bodyLimit: Int64
  /// The time after which a nearly idle connection counts as stalled.
  package var stallTimeout: Duration
  /// Whether the transport may send the request again, as it does when a reused connection closes without a response.
  /// Other requests use a new connection.
  package var isRepeatable = true

  package init(
    _ method: Method, _ address: HTTPAddress, headers: [HTTPHeader] = [], body: HTTPBody? = nil,
    range: Range<Int64>? = nil, bodyLimit: Int64 = .max, stallTimeout: Duration = HTTPLimits.stallTimeout
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
    self.range = range
    self.bodyLimit = bodyLimit
    self.stallTimeout = stallTimeout
  }
}

/// A header field of a request.
package struct HTTPHeader: Sendable, Hashable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Returns the header with a bearer token (RFC 6750, section 2.1); nil if the token is empty or has an invalid
  /// character.
  package static func bearer(_ token: String) -> HTTPHeader? {
    let header = HTTPHeader("Authorization", "Bearer " + token)
    return token.isEmpty || !header.isValid ? nil : header
  }

  /// Whether the field can be sent: its name is a token, and its value has no control characters (RFC 9110, section
  /// 5.5).
  package var isValid: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isTokenCharacter)
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Whether users must not set the field, because it controls the connection, framing, conditions or caching.
  package var isReserved: Bool { Self.reservedNames.contains(name.lowercased()) }

  private static let reservedNames: Set = [
    "accept-encoding", "cache-control", "connection", "content-encoding", "content-length", "content-type",
    "expect",
    "host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// The body of a request. It may be read more than once.
package struct HTTPBody: Sendable {
  let source: any ByteSource
  let range: Range<Int64>
  /// Receives the number of bytes sent; negative if bytes must be sent again.
  let advance: @Sendable (Int64) -> Void

  /// Creates a body from a range of a source. `advance` receives the number of bytes sent; negative if bytes must be
  /// sent again.
  package init(
    _ source: any ByteSource, range: Range<Int64>, advance: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.source = source
    self.range = range
    self.advance = advance
  }

  /// Creates a body from bytes in memory.
  package init(_ bytes: [UInt8]) { self.init(MemoryBytes(bytes), range: 0..<Int64(bytes.count)) }
}

/// Limits and constants of all requests.
package enum HTTPLimits {
  /// The time after which a connection slower than `minimumRate` is closed.
  package static let stallTimeout = Duration.seconds(30)
  /// The minimum rate of a connection in bytes per second.
  static let minimumRate = 1024
  /// The maximum time to establish a connection.
  static let connectTimeout = Duration.seconds(30)
  /// The maximum number of redirects of a request.
  static let maximumRedirectCount = 5
  /// The maximum number of concurrent connections for one task.
  package static let maximumConnectionCount = 8
  /// The maximum total size of a response's header fields in bytes.
  static let maximumHeaderSize = 64 << 10
  /// The size of libcurl's buffers in bytes. Larger buffers are no faster, and each connection needs its own.
  static let bufferSize = 64 << 10
  /// The minimum size of libcurl's receive buffer in bytes (`CURLOPT_BUFFERSIZE`).
  static let minimumBufferSize = 1 << 10
  /// The maximum number of bytes that are read from an error response.
  package static let maximumErrorBodySize = 64 << 10
}

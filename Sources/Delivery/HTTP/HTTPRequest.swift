package import SafeFiles

/// A request, as a value; it can be sent as often as need be.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  package var method: Method
  package var address: HTTPAddress
  package var headers: [HTTPHeader]
  package var body: HTTPBody?
  /// The bytes that are wanted, where not all are.
  package var range: Range<Int64>?
  /// The largest answer that is accepted, in bytes.
  package var bodyLimit: Int64
  /// For so long the connection may be all but silent.
  package var stallTimeout: Duration
  /// Whether libcurl may send it a second time by itself, as it does when a connection that it has used before ends
  /// without an answer. What must not happen twice unnoticed gets a connection of its own.
  package var isRepeatable = true

  package init(
    _ method: Method, _ address: HTTPAddress, headers: [HTTPHeader] = [], body: HTTPBody? = nil,
    range: Range<Int64>? = nil, bodyLimit: Int64 = .max, stallTimeout: Duration = HTTPLimits.stall
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

  /// The token of whoever asks (RFC 6750, section 2.1); nil if it is empty or has a character that none may have.
  package static func bearer(_ token: String) -> HTTPHeader? {
    let header = HTTPHeader("Authorization", "Bearer " + token)
    return token.isEmpty || !header.isValid ? nil : header
  }

  /// Whether it can be sent: a token, a colon, and text without controls (RFC 9110, section 5.5).
  package var isValid: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isTokenCharacter)
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Whether the field frames or conditions a request, which only the sender of the request knows how to do.
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

/// What is sent with a request. It may be read more than once.
package struct HTTPBody: Sendable {
  let source: any ByteSource
  let range: Range<Int64>
  /// Hears of bytes that are under way; below 0 when they are to go once more.
  let advance: @Sendable (Int64) -> Void

  package init(
    _ source: any ByteSource, range: Range<Int64>, advance: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.source = source
    self.range = range
    self.advance = advance
  }

  package init(_ bytes: [UInt8]) { self.init(MemoryBytes(bytes), range: 0..<Int64(bytes.count)) }
}

/// What holds for every request.
package enum HTTPLimits {
  /// A connection that carries less than `slowest` for so long is given up.
  package static let stall = Duration.seconds(30)
  /// In bytes per second.
  static let slowest = 1024
  static let connecting = Duration.seconds(30)
  static let redirects = 5
  /// Side by side, for one work.
  static let connections = 8
  /// Of all header fields of an answer together.
  static let headerBytes = 64 << 10
  /// How much libcurl reads and writes at once. More is no faster, and takes memory for each connection.
  static let block = 64 << 10
  /// The least that libcurl can read at once (`CURLOPT_BUFFERSIZE`).
  static let smallestBlock = 1 << 10
  /// What is read of an answer that only says what went wrong.
  package static let errorBytes = 64 << 10
}

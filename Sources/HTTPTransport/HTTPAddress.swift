/// An absolute `http` or `https` URL, parsed in the same way as the transport parses it.
package struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The origin of a URL, to which tokens and headers are restricted.
  package struct Origin: Sendable, Hashable {
    /// The scheme, `http` or `https`.
    package let scheme: String
    /// The host in lower case.
    package let host: String
    /// The port, also if the URL omits the default port.
    package let port: Int
  }

  /// The scheme, the host and the port.
  package let origin: Origin
  /// The value of the `Host` header: the host, with the port unless it is the default.
  package let authority: String
  /// The escaped path, which begins with `/`.
  package let path: String
  /// The escaped query after `?`; nil if there is none.
  package let query: String?

  /// Whether the scheme is `https`.
  package var isEncrypted: Bool { origin.scheme == "https" }
  /// Whether the host is this machine: a loopback address (RFC 6890), or the name reserved for it (RFC 6761, section
  /// 6.3).
  package var isOfThisMachine: Bool {
    let bytes = origin.host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return bytes.count == 4 && bytes[0] == 127 && bytes.allSatisfy { $0 != nil }
      || ["localhost", "[::1]"].contains(origin.host)
  }
  /// The complete URL. It may contain a signature, so it must not appear in messages.
  package var text: String { "\(origin.scheme)://\(authority)\(path)" + (query.map { "?" + $0 } ?? "") }
  /// The address without its query, for messages.
  package var description: String { "\(origin.scheme)://\(authority)\(path)" }

  private init(origin: Origin, path: String, query: String?) {
    self.origin = origin
    self.path = path
    self.query = query
    let defaultPort = origin.scheme == "https" ? 443 : 80
    authority = origin.port == defaultPort ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// Parses an absolute URL.
  ///
  /// - Throws: `.invalidRequest` if the text is not such a URL, or contains a user name or password.
  package init(_ text: String) throws(HTTPError) {
    self = try Self.parsing([text])
  }

  /// Resolves a reference (RFC 3986, section 4.1) against this URL.
  package func following(_ reference: String) throws(HTTPError) -> HTTPAddress {
    try Self.parsing([text, reference])
  }

  /// Returns a URL of the same server with another path and query, which must be escaped.
  package func with(path: String, query: String? = nil) -> HTTPAddress {
    HTTPAddress(origin: origin, path: path, query: query)
  }

  /// Returns the URL with a subdomain of the host, for buckets.
  package func with(subdomain: String) -> HTTPAddress {
    let origin = Origin(scheme: origin.scheme, host: "\(subdomain).\(origin.host)", port: origin.port)
    return HTTPAddress(origin: origin, path: path, query: query)
  }

  /// Parses the first text as a URL, and resolves each further text against the result.
  private static func parsing(_ texts: [String]) throws(HTTPError) -> HTTPAddress {
    let url = try ParsedURL.parse(texts)
    guard url.scheme == "https" || url.scheme == "http" else {
      throw HTTPError(.invalidRequest, "the protocol is '\(url.scheme)', expected https or http")
    }
    guard !url.hasUser else {
      throw HTTPError(.invalidRequest, "the address names a user or password, expected none")
    }
    guard !url.host.isEmpty, let port = url.port else {
      throw HTTPError(.invalidRequest, "the address has no host")
    }
    return HTTPAddress(
      origin: Origin(scheme: url.scheme, host: url.host, port: port), path: url.path, query: url.query)
  }
}

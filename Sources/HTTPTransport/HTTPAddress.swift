internal import CCurl

/// An absolute `http` or `https` URL, parsed by libcurl, so that libcurl interprets it in the same way.
package struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The origin of a URL, to which tokens and headers are restricted.
  package struct Origin: Sendable, Hashable {
    package let scheme: String
    /// In lower case.
    package let host: String
    package let port: Int
  }

  package let origin: Origin
  /// The value of the `Host` header: the host, with the port unless it is the default.
  package let authority: String
  /// The escaped path, which begins with `/`.
  package let path: String
  /// The escaped query after `?`.
  package let query: String?

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

  /// - Throws: `.invalidRequest` if the text is not such a URL, or contains a user name.
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

  /// Parses the first text as a URL, and resolves each further one against it (`curl_url_set`).
  private static func parsing(_ texts: [String]) throws(HTTPError) -> HTTPAddress {
    let parser = try URLParser.make()
    for text in texts { try parser.follow(text) }
    let scheme = parser.part(CURLUPART_SCHEME)?.lowercased() ?? ""
    guard scheme == "https" || scheme == "http" else {
      throw HTTPError(.invalidRequest, "the protocol is '\(scheme)', expected https or http")
    }
    guard parser.part(CURLUPART_USER) == nil, parser.part(CURLUPART_PASSWORD) == nil else {
      throw HTTPError(.invalidRequest, "the address names a user or password, expected none")
    }
    guard let host = parser.part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
      let port = parser.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap(Int.init)
    else { throw HTTPError(.invalidRequest, "the address has no host") }
    return HTTPAddress(
      origin: Origin(scheme: scheme, host: host, port: port), path: parser.part(CURLUPART_PATH) ?? "/",
      query: parser.part(CURLUPART_QUERY))
  }
}

/// Owns a CURLU handle.
@safe private struct URLParser: ~Copyable {
  private let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe curl_url_cleanup(pointer) }

  static func make() throws(HTTPError) -> URLParser {
    guard let pointer = unsafe curl_url() else { throw HTTPError(.exhausted, "libcurl has no memory left") }
    return unsafe URLParser(owning: pointer)
  }

  func follow(_ text: String) throws(HTTPError) {
    guard !text.utf8.contains(0) else { throw HTTPError(.invalidRequest, "an address has a NUL character") }
    let code = unsafe curl_url_set(pointer, CURLUPART_URL, text, CUnsignedInt(CURLU_URLENCODE))
    guard code == CURLUE_OK else {
      let reason = unsafe String(cString: curl_url_strerror(code))
      throw HTTPError(.invalidRequest, "the address cannot be used (\(reason))")
    }
  }

  func part(_ part: CURLUPart, flags: CInt = 0) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(pointer, part, &value, CUnsignedInt(flags)) == CURLUE_OK,
      let value = unsafe value
    else { return nil }
    defer { unsafe curl_free(value) }
    return unsafe String(cString: value)
  }
}

#if COMMAND_LINE_TOOL
internal import CCurl

extension ParsedURL {
  /// Parses the first text as a URL, and resolves each further text against the result (`curl_url_set`).
  static func parse(_ texts: [String]) throws(HTTPError) -> ParsedURL {
    let parser = try URLParser.make()
    for text in texts { try parser.follow(text) }
    return ParsedURL(
      scheme: parser.part(CURLUPART_SCHEME)?.lowercased() ?? "",
      hasUser: parser.part(CURLUPART_USER) != nil || parser.part(CURLUPART_PASSWORD) != nil,
      host: parser.part(CURLUPART_HOST)?.lowercased() ?? "",
      port: parser.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap(Int.init),
      path: parser.part(CURLUPART_PATH) ?? "/", query: parser.part(CURLUPART_QUERY))
  }
}

/// Owns a CURLU handle, which parses one URL.
@safe private struct URLParser: ~Copyable {
  private let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe curl_url_cleanup(pointer) }

  static func make() throws(HTTPError) -> URLParser {
    guard let pointer = unsafe curl_url() else { throw HTTPError(.exhausted, "libcurl is out of memory") }
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
#endif

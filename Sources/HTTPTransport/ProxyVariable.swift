import Support

/// The environment variables that name the proxy of a request, in the order of libcurl (CURLOPT_PROXY).
enum ProxyVariable {
  /// The beginning of libcurl's messages about an unusable proxy address, which include its password.
  private static let rejection = "Unsupported proxy"

  /// Returns the message for a proxy address that libcurl rejects, without the user name and password.
  ///
  /// - Parameters:
  ///   - message: The message of libcurl.
  ///   - scheme: The scheme of the requested address.
  /// - Returns: The message; nil for any other error of libcurl.
  static func rejection(in message: String, scheme: String) -> String? {
    guard message.hasPrefix(rejection) else { return nil }
    let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["HTTPS_PROXY"]) + ["all_proxy", "ALL_PROXY"]
    guard let name = names.first(where: { ProcessEnvironment.value($0) != nil }) else {
      return "the address of the proxy cannot be used"
    }
    let address = ProcessEnvironment.value(name) ?? ""
    guard let kind = address.firstRange(of: "://").map({ address[..<$0.lowerBound] }),
      !kinds.contains(kind.lowercased()), kind.utf8.allSatisfy(isSchemeCharacter)
    else { return "\(name) is not the address of a proxy, expected one such as http://HOST:PORT" }
    return "\(name) names a proxy of the kind '\(kind)', expected http, https or socks5"
  }

  private static let kinds: Set = ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns whether a scheme may contain a byte (RFC 3986, section 3.1). Other text before `://` may belong to a
  /// password.
  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

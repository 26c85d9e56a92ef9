#if !COMMAND_LINE_TOOL
internal import Foundation
import Support

extension ParsedURL {
  /// Parses the first text as a URL, and resolves each further text against the result (RFC 3986, section 5.2). Like
  /// libcurl, removes dot segments and escapes characters that are invalid in URLs. Unlike libcurl, accepts only `//`
  /// before the host.
  static func parse(_ texts: [String]) throws(HTTPError) -> ParsedURL {
    var result: ParsedURL?
    for text in texts {
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw unusable("it has a control character")
      }
      let text = text.prefix { $0 != "#" }
      result = if let base = result { try base.resolving(text) } else { try absolute(text) }
    }
    guard let result else { throw unusable("it is empty") }
    return result
  }

  private static func unusable(_ reason: String) -> HTTPError {
    HTTPError(.invalidRequest, "the address cannot be used (\(reason))")
  }

  private static func absolute(_ text: Substring) throws(HTTPError) -> ParsedURL {
    guard let scheme = scheme(of: text) else { throw unusable("it has no protocol such as https://") }
    let isHTTP = scheme == "https" || scheme == "http"
    var result = ParsedURL(
      scheme: scheme, hasUser: false, host: "", port: isHTTP ? (scheme == "https" ? 443 : 80) : nil, path: "/"
    )
    let rest = text.dropFirst(scheme.count + 1)
    guard isHTTP, rest.hasPrefix("//") else { return result }
    let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    try result.setAuthority(authority)
    result.setPath(rest.dropFirst(2 + authority.count))
    return result
  }

  /// Returns the scheme of an absolute URL in lower case; nil for a relative reference.
  private static func scheme(of text: Substring) -> String? {
    let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    guard scheme.endIndex < text.endIndex, text[scheme.endIndex] == ":", scheme.first?.isLetter ?? false,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return scheme.lowercased()
  }

  private func resolving(_ reference: Substring) throws(HTTPError) -> ParsedURL {
    guard Self.scheme(of: reference) == nil else { return try Self.absolute(reference) }
    guard !reference.hasPrefix("//") else { return try Self.absolute("\(scheme):\(reference)") }
    var result = self
    if reference.hasPrefix("/") {
      result.setPath(reference)
    } else if reference.hasPrefix("?") {
      result.setPath("\(path)\(reference)")
    } else if !reference.isEmpty {
      let end = path.lastIndex(of: "/") ?? path.endIndex
      result.setPath("\(path[..<end])/\(reference)")
    }
    return result
  }

  private mutating func setAuthority(_ authority: Substring) throws(HTTPError) {
    hasUser = authority.contains("@")
    guard !hasUser else { return }
    let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.lastIndex(of: ":")
    var name = authority
    if let hostEnd {
      let portStart = authority.hasPrefix("[") ? authority.index(after: hostEnd) : hostEnd
      name = authority[..<portStart]
      let port = authority[portStart...]
      if port.count > 1 {
        guard port.hasPrefix(":"), port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
          let number = Int(port.dropFirst()), (1...65_535).contains(number)
        else { throw Self.unusable("its port is not a number from 1 to 65535") }
        self.port = number
      } else if !port.isEmpty, port != ":" {
        throw Self.unusable("its host is not valid")
      }
    }
    host = try Self.host(name.lowercased())
  }

  /// Verifies a host, and encodes an internationalized host as ASCII.
  private static func host(_ text: String) throws(HTTPError) -> String {
    let text = text.utf8.allSatisfy { $0 < 0x80 } ? text : URL(string: "https://\(text)")?.host ?? ""
    if text.hasPrefix("[") {
      var address = in6_addr()
      guard text.hasSuffix("]"),
        unsafe inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &address) == 1
      else {
        throw unusable("its host is not an IPv6 address")
      }
      return text
    }
    guard text.utf8.allSatisfy({ $0 < 0x80 }),
      text.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) })
    else { throw unusable("its host is not valid") }
    // Other forms of an IPv4 address mean different hosts to different programs.
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    if let last = labels.last(where: { !$0.isEmpty }), last.allSatisfy(\.isNumber) || last.hasPrefix("0x") {
      guard labels.count == 4, labels.allSatisfy({ UInt8($0).map(String.init) == String($0) }) else {
        throw unusable("its host is not an IPv4 address of four numbers")
      }
    }
    return text
  }

  /// Sets the path and the query from a text such as `/path?query`.
  private mutating func setPath(_ text: Substring) {
    let path = text.prefix { $0 != "?" }
    let query = text.dropFirst(path.count + 1)
    self.path = Self.removingDotSegments(Self.escaping(path, allowing: "/"))
    self.query = query.isEmpty ? nil : Self.escaping(query, allowing: "/?")
  }

  private static func escaping(_ text: Substring, allowing further: String) -> String {
    let allowed = Set("-._~!$&'()*+,;=:@\(further)".utf8)
    var result = ""
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && bytes[index + 1...index + 2].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      if isEscape || PercentEncoding.isUnreserved(byte) || allowed.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true, width: 2)
      }
    }
    return result
  }

  /// Returns an absolute path without dot segments (RFC 3986, section 5.2.4).
  private static func removingDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".", "..":
        if segment == "..", !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
#endif

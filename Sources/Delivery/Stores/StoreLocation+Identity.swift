import HTTPTransport
import SafeFiles

extension StoreLocation {
  /// Returns the name under which the `Documents` folder records a store. All spellings of an address have the same
  /// name, so that none of them bypasses the record.
  ///
  /// For a web server, the following are normalized: the scheme, its default port, the case and a trailing dot of the
  /// host, empty and trailing parts of the path, unnecessary percent-encoding, and dot segments, also encoded ones.
  static func identity(of location: String) -> String {
    switch scheme(of: location) {
    case nil:
      if let path = try? FileSystem.resolved(location) { return path }
      // A folder that does not exist yet gets the name that it will have once it exists.
      guard let folder = try? FileSystem.resolved(FileSystem.folder(of: location)) else { return location }
      return FileSystem.joined(folder, String(decoding: FileSystem.name(of: location), as: UTF8.self))
    case "http", "https":
      guard let address = try? HTTPAddress(location) else { return location }
      var host = address.origin.host
      if host.hasSuffix("."), host.count > 1 { host.removeLast() }
      let isDefaultPort = address.origin.port == (address.isEncrypted ? 443 : 80)
      let parts = normalizedPath(address.path).split(separator: "/").map { "/" + $0 }
      return "//\(host)\(isDefaultPort ? "" : ":\(address.origin.port)")\(parts.joined())"
    default:
      let text = withPlainScheme(location)
      return (try? S3Location(text))?.description ?? text
    }
  }

  /// Returns the absolute path of a web server's address without unnecessary percent-encoding and dot segments (RFC
  /// 3986, section 6.2.2).
  ///
  /// Web servers decode `%2e` before they remove dot segments, so `/a/%2e%2e/b` is another spelling of `/b`.
  static func normalizedPath(_ path: String) -> String {
    var kept: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      switch plain(part) {
      case ".": continue
      case "..": _ = kept.popLast()
      case let name: kept.append(name)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// Decodes unnecessary percent-encoding (RFC 3986, section 6.2.2), and converts the remaining escapes to upper case.
  private static func plain(_ part: Substring) -> String {
    var plain: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
        let code = UInt8(digits, radix: 16)
      else {
        plain.append(byte)
        continue
      }
      if PercentEncoding.isUnreserved(code) {
        plain.append(code)
      } else {
        plain += "%\(digits.uppercased())".utf8
      }
      rest = rest.dropFirst(2)
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

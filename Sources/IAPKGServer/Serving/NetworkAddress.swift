import CLibrary

/// An IP address, or a network of all addresses with the same prefix.
struct NetworkAddress: Hashable, Sendable {
  /// The 4 or 16 bytes. Bits after the prefix are zero.
  private let bytes: [UInt8]
  private let prefixLength: Int

  /// Parses an address, or a network such as `10.0.0.0/8` (RFC 4632, section 3.1).
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    var length = bytes.count * 8
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...length).contains(given) else { return nil }
      length = given
    }
    self.init(bytes, length)
  }

  /// Parses an address as proxies write it: optionally with a port, with IPv6 addresses then in brackets (RFC 7239,
  /// section 6).
  init?(forwarded text: String) {
    if let address = NetworkAddress(text) {
      self = address
    } else {
      guard let address = ListenAddress(argument: text) ?? ListenAddress(argument: "\(text):0") else {
        return nil
      }
      self.init(address.host)
    }
  }

  /// Parses a comma-separated list; nil if any element is neither an address nor a network.
  static func list(_ text: String) -> [NetworkAddress]? {
    let parts = text.split(separator: ",")
    let networks = parts.compactMap { NetworkAddress($0.trimming { $0 == " " }) }
    return networks.count == parts.count ? networks : nil
  }

  private init(_ bytes: [UInt8], _ prefixLength: Int) {
    self.prefixLength = prefixLength
    self.bytes = bytes.enumerated().map { index, byte in
      let kept = min(8, max(0, prefixLength - index * 8))
      return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
    }
  }

  private static func bytes(of text: String) -> [UInt8]? {
    if let bytes = bytes(of: text, AF_INET, count: 4) { return bytes }
    guard let bytes = bytes(of: text, AF_INET6, count: 16) else { return nil }
    // A dual-stack listener sees IPv4 addresses in this form (RFC 4291, section 2.5.5.2).
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].allSatisfy { $0 == 0xFF }
    return isMapped ? Array(bytes[12...]) : bytes
  }

  private static func bytes(of text: String, _ family: CInt, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// Returns whether an address belongs to the network.
  func contains(_ other: NetworkAddress) -> Bool {
    bytes.count == other.bytes.count && prefixLength <= other.prefixLength
      && NetworkAddress(other.bytes, prefixLength).bytes == bytes
  }

  /// The address or network with a rate limit of its own. An IPv6 customer has at least a network with a 64-bit prefix
  /// (RFC 6177).
  var rateLimitNetwork: NetworkAddress {
    bytes.count == 16 ? NetworkAddress(bytes, min(64, prefixLength)) : self
  }
}

extension NetworkAddress: CustomStringConvertible {
  var description: String {
    let groups =
      bytes.count == 4
      ? bytes.map { String($0) }.joined(separator: ".")
      : stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        .joined(separator: ":")
    return prefixLength == bytes.count * 8 ? groups : "\(groups)/\(prefixLength)"
  }
}

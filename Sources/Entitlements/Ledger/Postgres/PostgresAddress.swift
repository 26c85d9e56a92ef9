import CPostgres

/// Checks an address before libpq uses it. libpq's messages about an invalid address quote parts of it, which may
/// belong to a password.
enum PostgresAddress {
  /// Returns the problem with an address, without its values; nil if libpq can parse it.
  static func problem(_ address: String) -> String? {
    let bare = address.prefix { $0 != "?" }
    guard let scheme = bare.firstRange(of: "://") else { return "it does not begin with postgres://" }
    let parts = bare[scheme.upperBound...].split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && !parts[0].contains("/"),
      !address[bare.endIndex...].contains("@")
    else { return "it has more than one @, or a / or ? before the @; \(escapingAdvice)" }
    guard isEscaped(address) else {
      return "a % is not followed by two hexadecimal digits other than 00; write % in a password as %25"
    }
    let hosts = parts[parts.count - 1].prefix { $0 != "/" }
    guard hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isHost) else {
      return "the part after // or @ is not HOST or HOST:PORT; \(escapingAdvice)"
    }
    let isNumeric = DatabaseLocation.parameters(of: address).allSatisfy { name, value in
      !numericParameters.contains(name) || Int(value) != nil
    }
    guard isNumeric else {
      return "one of \(numericParameters.sorted().joined(separator: ", ")) is not a number"
    }
    return isParsed(address) ? nil : "it has a parameter that libpq does not know, or one without a value"
  }

  /// Returns the number of hosts of an address that libpq can parse, at least 1. libpq tries them one after another.
  static func hostCount(_ address: String) -> Int {
    let bare = address.prefix { $0 != "?" }
    let start = bare.lastIndex(of: "@") ?? bare.firstRange(of: "://")?.upperBound ?? bare.startIndex
    let parameters = DatabaseLocation.parameters(of: address)
      .filter { ["host", "hostaddr"].contains($0.name) }
    let lists = [bare[start...].prefix { $0 != "/" }] + parameters.map { $0.value }
    return lists.map { $0.lowercased().replacing("%2c", with: ",").count { $0 == "," } + 1 }.max() ?? 1
  }

  /// The advice on the characters of a password that are not allowed in an address.
  private static let escapingAdvice = "write @ / : ? and % in a password as %40 %2F %3A %3F and %25"

  /// The parameters whose values libpq parses only when it connects.
  private static let numericParameters: Set<Substring> = [
    "connect_timeout", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval",
    "tcp_user_timeout",
  ]

  private static func isEscaped(_ address: String) -> Bool {
    address.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      let digits = part.utf8.prefix(2)
      return digits.count == 2
        && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isHexadecimalLetter($0) }
        && !digits.allSatisfy { $0 == UInt8(ascii: "0") }
    }
  }

  /// Returns whether a byte is a hexadecimal digit from a to f, in either case.
  private static func isHexadecimalLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Returns whether a text is a host with or without a port. The host is a name, an IPv6 address in brackets, a
  /// percent-encoded socket path, or empty.
  private static func isHost(_ text: Substring) -> Bool {
    var port = text
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      let inner = text[text.index(after: text.startIndex)..<end]
      guard inner.contains(":"), inner.utf8.allSatisfy({ isNameByte($0) || $0 == UInt8(ascii: ":") }) else {
        return false
      }
      port = text[text.index(after: end)...]
    } else {
      let name = text.prefix { $0 != ":" }
      guard name.utf8.allSatisfy(isNameByte) else { return false }
      port = text.dropFirst(name.count)
    }
    guard let colon = port.first else { return true }
    return colon == ":" && (port.count == 1 || UInt16(port.dropFirst()).map { $0 > 0 } ?? false)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~%".utf8.contains(byte)
      || byte >= 0x80
  }

  private static func isParsed(_ address: String) -> Bool {
    guard let options = unsafe PQconninfoParse(address, nil) else { return false }
    unsafe PQconninfoFree(options)
    return true
  }
}

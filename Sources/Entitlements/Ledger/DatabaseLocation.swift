/// The location of a ledger: an SQLite file or a PostgreSQL address.
public enum DatabaseLocation: Hashable, Sendable {
  /// The path of an SQLite file.
  case file(String)
  /// `postgres://…` or `postgresql://…`, in the syntax of libpq.
  case postgres(String)

  /// Creates a location from a PostgreSQL address or a file path.
  ///
  /// Returns nil for an address in another form, such as `host=… dbname=…`, `postgresql:…` or `:memory:`: a text with a
  /// colon or an equals sign before any slash or dot. For a file with such a name, use a path that begins with `./`.
  public init?(_ text: String) {
    let beginning = text.prefix { !"/.:=".contains($0) }
    if Self.schemes.contains(where: { text.hasPrefix($0) }) {
      self = .postgres(text)
    } else if let end = text.dropFirst(beginning.count).first, ":=".contains(end) {
      return nil
    } else {
      self = .file(text)
    }
  }

  private static let schemes = ["postgres://", "postgresql://"]

  /// The location for messages, without a password.
  public var description: String {
    switch self {
    case .file(let path): path
    case .postgres(let address): Self.withoutCredentials(address)
    }
  }

  /// Whether an address has a password, before the host or as a parameter.
  public var hasPassword: Bool {
    guard case .postgres(let address) = self else { return false }
    // libpq accepts a ? in a password.
    let user = address.lastIndex(of: "@").map { address[..<$0] } ?? ""
    return user.split(separator: "/").dropFirst().contains { $0.contains(":") }
      || Self.parameters(of: address).contains { ["password", "sslpassword"].contains($0.name) }
  }

  /// Returns the parameters of an address, still percent-encoded.
  static func parameters(of address: String) -> [(name: Substring, value: Substring)] {
    address.drop { $0 != "?" }.dropFirst().split(separator: "&").map { parameter in
      let name = parameter.prefix { $0 != "=" }
      return (name, parameter.dropFirst(name.count + 1))
    }
  }

  /// Returns an address without the parts before `@` and after `?`, which can contain a password.
  static func withoutCredentials(_ address: String) -> String {
    let bare = address.prefix { $0 != "?" }
    guard let scheme = bare.firstRange(of: "://") else { return "postgres" }
    let rest = bare[scheme.upperBound...]
    let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return "\(bare[..<scheme.upperBound])\(host)"
  }
}

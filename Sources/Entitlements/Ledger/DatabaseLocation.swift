/// Where a ledger is: a file of SQLite, or an address of PostgreSQL.
public enum DatabaseLocation: Hashable, Sendable {
  case file(String)
  /// `postgres://…` or `postgresql://…`, as libpq takes it.
  case postgres(String)

  /// Reads a location as the option `--database` has it.
  public init(_ text: String) {
    self = Self.schemes.contains { text.hasPrefix($0) } ? .postgres(text) : .file(text)
  }

  private static let schemes = ["postgres://", "postgresql://"]

  /// The location for messages, without a password.
  public var description: String {
    switch self {
    case .file(let path): path
    case .postgres(let address): Self.describing(address)
    }
  }

  /// Whether an address cannot be misread: libpq would take a part of a password with `@` or `/` for the host, and tell it in
  /// its messages.
  static func hasPlainPassword(_ address: String) -> Bool {
    let bare = address.prefix { $0 != "?" }
    guard let scheme = bare.firstRange(of: "://") else { return true }
    let parts = bare[scheme.upperBound...].split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 1 || parts.count == 2 && !parts[0].contains("/")
  }

  /// An address without what stands before `@` and behind `?`, where a password may be.
  static func describing(_ address: String) -> String {
    let bare = address.prefix { $0 != "?" }
    guard let scheme = bare.firstRange(of: "://") else { return "postgres" }
    let rest = bare[scheme.upperBound...]
    let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return "\(bare[..<scheme.upperBound])\(host)"
  }
}

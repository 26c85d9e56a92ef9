import CLibrary

/// The policies and resources of a ledger.
public struct LedgerSettings: Sendable {
  /// The credits of consumables, and the other known products.
  public var products: ProductCatalog
  /// The policy for a purchase that another account presents.
  public var onOtherAccount: OtherAccountPolicy
  /// The proof that gives a presenter full access to an account.
  public var accountProof = AccountProof.token
  /// The number of connections to PostgreSQL: half for reading and half for writing, at least one each.
  public var connections: Int
  /// The maximum time that a transaction waits for a lock of another process or connection.
  public var lockTimeout = Duration.seconds(5)
  /// The maximum time of a request, from its arrival to its commit. After this time, a request to a silent database fails,
  /// and its PostgreSQL connection closes. Migrations, audits and copies have no limit.
  public var requestTimeout = Self.defaultRequestTimeout
  /// The default of `requestTimeout`, shorter than the time that a stopping server gives open requests, so that the
  /// server answers them.
  static let defaultRequestTimeout = Duration.seconds(8)
  /// The maximum time to read the schema version of a database that is opened, at least the default of `requestTimeout`.
  var openingTimeout: Duration { max(requestTimeout, Self.defaultRequestTimeout) }
  /// The maximum wait for the schema of a new SQLite file that another process is creating.
  var creationTimeout: Duration { lockTimeout * 2 }
  /// The clock for entries and for the end of subscriptions, in milliseconds since 1970.
  public var clock: @Sendable () -> Int64

  public init(
    products: ProductCatalog = ProductCatalog(), onOtherAccount: OtherAccountPolicy = .reject,
    connections: Int = 8, clock: @escaping @Sendable () -> Int64 = Self.systemTime
  ) {
    self.products = products
    self.onOtherAccount = onOtherAccount
    self.connections = connections
    self.clock = clock
  }

  /// Returns the system time, in milliseconds since 1970.
  @Sendable public static func systemTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

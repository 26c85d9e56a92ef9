import CLibrary

/// The policies and resources of a ledger.
public struct LedgerSettings: Sendable {
  public var products: ProductCatalog
  public var onOtherAccount: OtherAccountPolicy
  public var accountProof = AccountProof.token
  /// The number of connections to PostgreSQL, half of them for reading.
  public var connections: Int
  /// The maximum time that a transaction waits for another process's lock.
  public var lockTimeout = Duration.seconds(5)
  /// The maximum time of a request, from its arrival to its commit. A silent database fails it then, and its connection
  /// to PostgreSQL is closed. Migrations, audits and copies have no limit.
  public var requestTimeout = Self.defaultRequestTimeout
  /// Shorter than the time that a server which was asked to stop gives open requests, so that they are answered.
  static let defaultRequestTimeout = Duration.seconds(8)
  /// The maximum time between the first bytes of a new SQLite file and its schema, which another program creates.
  var creationTimeout: Duration { lockTimeout * 2 }
  /// The clock that ends subscriptions, in milliseconds since 1970.
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

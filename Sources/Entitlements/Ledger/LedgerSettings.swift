#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl  // untested
#else
  import Glibc
#endif

/// How a ledger decides, and what it may use.
public struct LedgerSettings: Sendable {
  public var products: ProductCatalog
  public var onOtherAccount: OtherAccountPolicy
  public var accountProof = AccountProof.token
  /// Connections to PostgreSQL, half of them for reading.
  public var connections: Int
  /// How long a transaction waits for a lock that another process has.
  public var lockTimeout = Duration.seconds(5)
  /// The time in milliseconds since 1970, after which subscriptions end.
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

  /// The system's time, in milliseconds since 1970.
  @Sendable public static func systemTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

import Delivery
import Entitlements
import Logging
import SafeFiles
import Support

/// Creates the services that the settings describe.
struct ServiceFactory: Sendable {
  let settings: ServerSettings

  /// The maximum size of a file with certificates or a shared secret, in bytes.
  private static let maximumFileSize = 1 << 20
  /// The earliest plausible time, in seconds since 1970: 2026-01-01. No server was built before that date.
  private static let earliest: Int64 = 1_767_225_600

  /// Rejects a clock that was never set: its tokens would expire as soon as the time is set.
  func checkClock() throws(CommandFailure) {
    guard Timestamp.now.seconds < Self.earliest else { return }
    throw CommandFailure(
      .configuration, "the clock shows \(Timestamp.now), which is before this program was built; set the time"
    )
  }

  /// Creates all services.
  ///
  /// - Throws: `CommandFailure`, or an error that `CommandFailure` converts.
  func services(_ logger: Logger) async throws -> ServerServices {
    try checkClock()
    let (content, store) = try self.store()
    let ledger = try await ledger()
    try await throwDifferences { () async throws(LedgerError) in try await ledger.startupDifferences() }
    return ServerServices(
      ledger: ledger, verifier: PurchaseVerifier(try verifierSettings()),
      receipts: try receipts(logger),
      store: content,
      products: ProductList(store, logger: logger), productCatalog: try products(),
      tokens: try await tokens(),
      admin: try adminToken(),
      limiter: RateLimiter(perSecond: settings.rateLimit, burst: settings.rateBurst),
      trustedProxies: settings.trustedProxies, now: { Timestamp.now.seconds })
  }

  /// Throws the differences that a check of the database returns as one `CommandFailure`, with file damage first.
  func throwDifferences(
    _ check: () async throws(LedgerError) -> [AuditDifference]
  ) async throws(CommandFailure) {
    let differences: [AuditDifference]
    do throws(LedgerError) { differences = try await check() } catch {
      if case .damaged = error { throw CommandFailure(.configuration, settings.database.damageMessage) }
      throw CommandFailure(error)
    }
    guard !differences.isEmpty else { return }
    var messages = differences.filter { !$0.isUnreadableFile }
      .map { String(displaying: $0.description.utf8) }
    if differences.contains(where: { $0.subject == .file }) {
      messages.insert(settings.database.damageMessage, at: 0)
    }
    throw CommandFailure(.configuration, messages)
  }

  func ledger() async throws -> Ledger {
    let ledgerSettings = try ledgerSettings()
    do throws(LedgerError) {
      return try await Ledger.open(settings.database, ledgerSettings)
    } catch {
      if case .damaged = error { throw CommandFailure(.configuration, settings.database.damageMessage) }
      throw CommandFailure(.configuration, error.message)
    }
  }

  private func ledgerSettings() throws(CommandFailure) -> LedgerSettings {
    var ledger = LedgerSettings(products: try products(), onOtherAccount: settings.onOtherAccount)
    ledger.accountProof = settings.accountProof
    return ledger
  }

  private func products() throws(CommandFailure) -> ProductCatalog {
    guard let path = settings.products else { return ProductCatalog() }
    let bytes = try bytes(path, atMost: ProductCatalog.maximumFileSize)
    do throws(ProductCatalogError) {
      return try ProductCatalog(json: bytes)
    } catch {
      throw CommandFailure(
        .configuration, "\(String(displaying: path.utf8)) is not a file of products: \(error)")
    }
  }

  func verifierSettings() throws -> PurchaseVerifier.Settings {
    var environments: Set<StoreEnvironment> = [.production]
    if settings.allowsSandbox { environments.insert(.sandbox) }
    var verifier = PurchaseVerifier.Settings(
      bundleIdentifier: settings.bundleIdentifier, environments: environments,
      appIdentifier: settings.appIdentifier, roots: try [.appleRootG3()] + roots(settings.root),
      testingRoots: try roots(settings.testingRoot))
    if settings.checksOnline { verifier.onlineChecks = try OnlineChecks() }
    return verifier
  }

  func receipts(_ logger: Logger? = nil) throws -> ReceiptVerifier {
    var receipts = ReceiptVerifier.Settings(
      bundleIdentifier: settings.bundleIdentifier, allowsSandbox: settings.allowsSandbox,
      sharedSecret: try settings.sharedSecretFile.map {
        try SecretFile.line(try bytes($0), "the shared secret", in: $0)
      })
    receipts.productionAddress = settings.verifyReceiptAddress ?? receipts.productionAddress
    receipts.sandboxAddress = settings.sandboxVerifyReceiptAddress ?? receipts.sandboxAddress
    receipts.noteDeprecation = {
      logger?.warning("the App Store reports that verifyReceipt is deprecated: \($0)")
    }
    do throws(ReceiptError) { return try ReceiptVerifier(receipts) } catch {
      throw CommandFailure(.configuration, error.message)
    }
  }

  private func roots(_ path: String?) throws -> [RootCertificate] {
    guard let path else { return [] }
    let bytes = try bytes(path)
    do throws(RootCertificateError) {
      return try RootCertificate.read(bytes)
    } catch {
      throw CommandFailure(
        .configuration, "\(String(displaying: path.utf8)) is not a root certificate: \(error)")
    }
  }

  func store() throws -> (StoreContent, any Store) {
    do throws(StoreError) {
      let store = try StoreLocation.open(settings.store, cancellation: Cancellation())
      switch StoreLocation.scheme(of: settings.store) {
      case nil: return (.folder(ContentFolder(path: settings.store)), store)
      case "s3": return (.bucket(try BucketAddresses(settings.store)), store)
      default:
        throw StoreError(
          .unsuitable, settings.store, "\(settings.store) is a web server, expected a folder or s3://…")
      }
    } catch {
      throw CommandFailure(.configuration, String(displaying: error.message.utf8))
    }
  }

  func tokens() async throws -> TokenKeys {
    try await TokenKeys(try TokenKeyFile.open(settings.tokenKeyFile), audience: settings.bundleIdentifier)
  }

  func adminToken() throws -> AdminToken? { try settings.adminTokenFile.map { try AdminToken.open($0) } }

  private func bytes(_ path: String, atMost limit: Int = maximumFileSize) throws(CommandFailure) -> [UInt8] {
    do {
      return try InputFile.open(path).content(atMost: limit)
    } catch {
      throw CommandFailure(.configuration, CommandFailure(error).messages)
    }
  }
}

import Entitlements

/// The settings of the server, from the command line, environment variables and a file.
struct ServerSettings: Sendable {
  var store: String
  var bundleIdentifier: String
  var listenAddress: ListenAddress
  var database: DatabaseLocation
  var appIdentifier: Int64?
  var allowsSandbox: Bool
  var checksOnline: Bool
  var root: String?
  var testingRoot: String?
  var products: String?
  var tokenKeyFile: String
  var adminTokenFile: String?
  var trustedProxies: [NetworkAddress]
  var verifyReceiptAddress: String?
  var sandboxVerifyReceiptAddress: String?
  var sharedSecretFile: String?
  var onOtherAccount: OtherAccountPolicy
  var accountProof: AccountProof
  var rateLimit: Int
  var rateBurst: Int

  /// A message about a missing Apple ID, without which production notifications are rejected; nil if the ID is set.
  var missingAppIdentifier: String? {
    guard appIdentifier == nil else { return nil }
    return "there is no app-apple-id, without which no production refund or renewal is recorded; "
      + "App Store Connect shows it under App Information"
  }

  /// Reads and checks all settings.
  ///
  /// - Throws: `CommandFailure` with `.configuration` and all missing or invalid options.
  init(_ options: ServerOptions) throws(CommandFailure) {
    var reader = try OptionReader(options)
    store = reader.required("store")
    bundleIdentifier = reader.required("bundle-id")
    if !bundleIdentifier.isEmpty {
      _ = reader.value("bundle-id", String.storeIdentifierRule) { $0.isStoreIdentifier ? $0 : nil }
    }
    listenAddress = reader.listenAddress()
    database = reader.database()
    appIdentifier = reader.positive("app-apple-id", "a number above 0")
    allowsSandbox = reader.flag("allow-sandbox")
    checksOnline = reader.flag("online-checks")
    root = reader.text("root", "a file")
    testingRoot = reader.text("testing-root", "a file")
    products = reader.text("products", "a file")
    tokenKeyFile = reader.text("token-key-file", "a file") ?? "iapkg-server.keys"
    adminTokenFile = reader.text("admin-token-file", "a file")
    trustedProxies =
      reader.value("trusted-proxy", "addresses or networks such as 10.0.0.0/8") {
        NetworkAddress.list($0)
      } ?? []
    verifyReceiptAddress = reader.text("verify-receipt-url", "an address")
    sandboxVerifyReceiptAddress = reader.text("sandbox-verify-receipt-url", "an address")
    sharedSecretFile = reader.text("shared-secret-file", "a file")
    onOtherAccount =
      reader.value("on-other-account", "reject, transfer or share") { OtherAccountPolicy(rawValue: $0) }
      ?? .reject
    accountProof =
      reader.value("account-proof", "token or purchase") { AccountProof(rawValue: $0) } ?? .token
    rateLimit = reader.positive("rate-limit", "a number from 1 to \(Int.max)") ?? 200
    rateBurst = reader.positive("rate-burst", "a number from 1 to \(Int.max)") ?? 1_000
    try reader.finish()
  }
}

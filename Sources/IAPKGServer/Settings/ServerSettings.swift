import Configuration
import Entitlements
import SafeFiles
import Support
import SystemPackage

/// How the server is to run, from the command line, variables and a file.
struct ServerSettings: Sendable {
  var store: String
  var bundleIdentifier: String
  var listen: ListenAddress
  var database: String
  var appIdentifier: Int64?
  var allowsSandbox: Bool
  var checksOnline: Bool
  var root: String?
  var testingRoot: String?
  var products: String?
  var tokenKeyFile: String
  var adminTokenFile: String?
  var trustedProxies: Set<String>
  var verifyReceiptAddress: String?
  var sandboxVerifyReceiptAddress: String?
  var sharedSecretFile: String?
  var onOtherAccount: OtherAccountPolicy
  var rateLimit: Int
  var rateBurst: Int

  /// - Throws: `CommandFailure` with `.configuration` for what is missing or wrong.
  init(_ options: ServerOptions) async throws {
    let reader = try await Self.reader(options)
    store = try reader.required("store")
    bundleIdentifier = try reader.required("bundle-id")
    listen = try reader.value("listen", "an address and a port") { ListenAddress(argument: $0) } ?? .usual
    database = reader.text("database") ?? "iapkg-server.sqlite"
    appIdentifier = try reader.value("app-apple-id", "a number above 0") {
      Int64($0).flatMap { $0 > 0 ? $0 : nil }
    }
    allowsSandbox = try reader.value("allow-sandbox", "true or false") { Bool($0) } ?? false
    checksOnline = try reader.value("online-checks", "true or false") { Bool($0) } ?? false
    root = reader.text("root")
    testingRoot = reader.text("testing-root")
    products = reader.text("products")
    tokenKeyFile = reader.text("token-key-file") ?? "iapkg-server.keys"
    adminTokenFile = reader.text("admin-token-file")
    let proxies = reader.text("trusted-proxy") ?? ""
    trustedProxies = Set(proxies.split(separator: ",").map { String($0.trimming { $0 == " " }) })
    verifyReceiptAddress = reader.text("verify-receipt-url")
    sandboxVerifyReceiptAddress = reader.text("sandbox-verify-receipt-url")
    sharedSecretFile = reader.text("shared-secret-file")
    onOtherAccount =
      try reader.value("on-other-account", "reject, transfer or share") { OtherAccountPolicy(rawValue: $0) }
      ?? .reject
    rateLimit =
      try reader.value("rate-limit", "a number above 0") { Int($0).flatMap { $0 > 0 ? $0 : nil } } ?? 200
    rateBurst =
      try reader.value("rate-burst", "a number above 0") { Int($0).flatMap { $0 > 0 ? $0 : nil } } ?? 1_000
  }

  private static func reader(_ options: ServerOptions) async throws -> OptionReader {
    let given = options.given.map {
      (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
    }
    let variables = EnvironmentVariablesProvider()
    var providers: [any ConfigProvider] = [
      InMemoryProvider(values: Dictionary(given) { first, _ in first }), variables.prefixKeys(with: "iapkg"),
    ]
    let path =
      options.config ?? ConfigReader(provider: variables.prefixKeys(with: "iapkg")).string(forKey: "config")
    if let path { providers.append(try await file(path)) }
    return OptionReader(reader: ConfigReader(providers: providers))
  }

  private static func file(_ path: String) async throws -> any ConfigProvider {
    let shown = String(displaying: path.utf8)
    try ConfigurationKeys.check(in: path)
    do {
      return path.hasSuffix(".json")
        ? try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        : try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
    } catch {
      throw CommandFailure(
        .configuration, "cannot read the configuration \(shown): \(String(displaying: "\(error)".utf8))")
    }
  }
}

/// Reads options wherever they stand.
private struct OptionReader {
  let reader: ConfigReader

  func text(_ name: String) -> String? {
    let key = ConfigKey([name])
    if let text = reader.string(forKey: key) { return text.isEmpty ? nil : text }
    // A file has numbers and truth values of their own.
    return reader.int(forKey: key).map { String($0) } ?? reader.bool(forKey: key).map { String($0) }
  }

  func required(_ name: String) throws(CommandFailure) -> String {
    guard let text = text(name) else {
      throw CommandFailure(
        .configuration,
        "there is no \(name), expected --\(name), \(Self.variable(name)), or \(name) in the file of --config")
    }
    return text
  }

  func value<Value>(
    _ name: String, _ expected: String, _ parse: (String) -> Value?
  ) throws(CommandFailure) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else {
      throw CommandFailure(
        .configuration, "\(name) is '\(String(displaying: text.utf8))', expected \(expected)")
    }
    return value
  }

  private static func variable(_ name: String) -> String {
    "IAPKG_" + name.uppercased().map { $0 == "-" ? "_" : $0 }
  }
}

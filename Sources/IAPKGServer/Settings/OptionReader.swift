import Configuration
import Support

/// Reads options: from the command line, otherwise from an environment variable, otherwise from the file of `--config`.
/// Collects all problems, to report them together.
struct OptionReader {
  private let reader: ConfigReader
  private var problems: [String] = []

  /// - Parameters:
  ///   - config: The path from `--config`; nil to use the variable `IAPKG_CONFIG`, if set.
  ///   - given: The values on the command line, by option name.
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read.
  init(config: String?, given: [String: String]) throws(CommandFailure) {
    let variables = EnvironmentVariablesProvider().prefixKeys(with: "iapkg")
    var providers: [any ConfigProvider] = [Self.provider(given), variables]
    if let path = config ?? ConfigReader(provider: variables).string(forKey: "config") {
      let file = try ConfigurationFile(path)
      problems += file.problems
      providers.append(Self.provider(file.values))
    }
    reader = ConfigReader(providers: providers)
  }

  private static func provider(_ values: [String: String]) -> InMemoryProvider {
    InMemoryProvider(
      values: Dictionary(
        uniqueKeysWithValues: values.map {
          (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
        }))
  }

  /// Reports the collected problems.
  ///
  /// - Throws: `CommandFailure` with `.configuration` and all problems of the options.
  func finish() throws(CommandFailure) {
    guard problems.isEmpty else { throw CommandFailure(.configuration, problems) }
  }

  /// The location of the ledger.
  var database: String { text("database") ?? "iapkg-server.sqlite" }

  /// Returns where the server listens.
  mutating func listenAddress() -> ListenAddress {
    value("listen", "an address and a port, such as 127.0.0.1:8080") { ListenAddress(argument: $0) } ?? .usual
  }

  func text(_ name: String) -> String? {
    guard let text = reader.string(forKey: ConfigKey([name])), !text.isEmpty else { return nil }
    return text
  }

  /// Returns the value of an option; empty if it is missing, which `finish` reports.
  mutating func required(_ name: String) -> String {
    if let text = text(name) { return text }
    problems.append(
      "there is no \(name), expected --\(name), \(OptionVariables.name(of: name)), or \(name) in the file of --config"
    )
    return ""
  }

  /// Returns the parsed value of an option; nil if it is missing, or if it is invalid, which `finish` reports.
  mutating func value<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(name) else { return nil }
    if let value = parse(text) { return value }
    problems.append("\(name) is '\(String(displaying: text.utf8))', expected \(expected)")
    return nil
  }

  /// Returns a number above 0; nil if the option is missing or invalid.
  mutating func positive<Number: FixedWidthInteger>(_ name: String, _ expected: String) -> Number? {
    value(name, expected) { text in Number(text).flatMap { $0 > 0 ? $0 : nil } }
  }
}

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
      guard !path.isEmpty else { throw CommandFailure(.configuration, "config is empty, expected a file") }
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

  /// Returns the location of the ledger.
  mutating func database() -> String {
    text("database", "a file or postgres://…") ?? "iapkg-server.sqlite"
  }

  /// Returns where the server listens.
  mutating func listenAddress() -> ListenAddress {
    value("listen", "an address and a port, such as 127.0.0.1:8080") { ListenAddress(argument: $0) } ?? .usual
  }

  private func given(_ name: String) -> String? { reader.string(forKey: ConfigKey([name])) }

  /// Returns the text of an option; nil if the option is missing, or if it is empty, which `finish` reports.
  mutating func text(_ name: String, _ expected: String) -> String? {
    value(name, expected) { $0.isEmpty ? nil : $0 }
  }

  /// Returns the value of an option; empty if it is missing, which `finish` reports.
  mutating func required(_ name: String) -> String {
    if let text = given(name), !text.isEmpty { return text }
    problems.append(
      "there is no \(name), expected --\(name), \(OptionVariables.name(of: name)), or \(name) in the file of --config"
    )
    return ""
  }

  /// Returns the parsed value of an option; nil if it is missing, or if it is empty or invalid, which `finish` reports.
  mutating func value<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = given(name) else { return nil }
    if !text.isEmpty, let value = parse(text) { return value }
    let shown = text.isEmpty ? "empty" : "'\(String(displaying: text.utf8))'"
    problems.append("\(name) is \(shown), expected \(expected)")
    return nil
  }

  /// Returns a number above 0; nil if the option is missing or invalid.
  mutating func positive<Number: FixedWidthInteger>(_ name: String, _ expected: String) -> Number? {
    value(name, expected) { text in Number(text).flatMap { $0 > 0 ? $0 : nil } }
  }
}

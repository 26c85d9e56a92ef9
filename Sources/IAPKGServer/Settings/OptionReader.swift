import ArgumentParser
import Configuration
import Entitlements
import Support

/// Reads options: from the command line, otherwise from an environment variable, otherwise from the file of `--config`.
/// Collects all problems, to report them together.
struct OptionReader {
  private let reader: ConfigReader
  /// The values on the command line, by option name.
  private let given: [String: String]
  private var problems: [String] = []

  /// Reads the configuration file, if one is named.
  ///
  /// - Parameter options: The options of a command. Environment variables and the file supply missing options.
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read.
  init(_ options: any ParsableArguments...) throws(CommandFailure) {
    given = options.reduce(into: [:]) { $0.merge($1.given) { $1 } }
    var providers: [any ConfigProvider] = [
      Self.provider(given), EnvironmentVariablesProvider().prefixKeys(with: "iapkg"),
    ]
    if let path = ConfigReader(providers: providers).string(forKey: "config") {
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

  /// Returns the location of the ledger; a placeholder if the option is invalid, which `finish` reports.
  mutating func database() -> DatabaseLocation {
    let text = text("database", Self.expectedDatabase) ?? "iapkg-server.sqlite"
    let secret = "\(OptionVariables.name(of: "database")), the file of --config"
    do throws(CommandFailure) {
      return try Self.location("database", text, secret: given["database"] == nil ? nil : secret)
    } catch {
      problems += error.messages
      return .file(text)
    }
  }

  private static let expectedDatabase = "a file or postgres://…"

  /// Returns the database that an option names.
  ///
  /// - Parameters:
  ///   - option: The name of the option.
  ///   - text: The value.
  ///   - secret: The alternatives for a password, if the value is on the command line, where other users see it.
  /// - Returns: The location.
  /// - Throws: `CommandFailure` with `.configuration` if the value is empty, is an address that is not
  ///   `postgres://…`, or has a password on the command line.
  static func location(
    _ option: String, _ text: String, secret: String?
  ) throws(CommandFailure) -> DatabaseLocation {
    guard !text.isEmpty else {
      throw CommandFailure(.configuration, "\(option) is empty, expected \(expectedDatabase)")
    }
    guard let location = DatabaseLocation(text) else {
      // The rest may contain a password.
      let shown = text.prefix(text.prefix { !":=".contains($0) }.count + 1)
      throw CommandFailure(
        .configuration,
        "\(option) is '\(String(displaying: shown.utf8))…', which is neither the path of a file nor postgres://HOST:PORT/NAME; write ./… for a file"
      )
    }
    guard let secret, location.hasPassword else { return location }
    throw CommandFailure(
      .configuration,
      "\(option) has a password, which other users see in the list of processes; use \(secret) or ~/.pgpass instead"
    )
  }

  /// Returns the location of the ledger for a command without other options of `run`.
  ///
  /// - Throws: `CommandFailure` with `.configuration` if the configuration file cannot be read, or the location is
  ///   invalid.
  static func database(
    _ optionFile: ConfigurationOption, _ ledger: DatabaseOption
  ) throws(CommandFailure) -> DatabaseLocation {
    var reader = try OptionReader(optionFile, ledger)
    let location = reader.database()
    try reader.finish()
    return location
  }

  /// Returns the address and port that the server listens on; the default if the option is missing, or if it is
  /// invalid, which `finish` reports.
  mutating func listenAddress() -> ListenAddress {
    value("listen", "an address and a port, such as 127.0.0.1:8080") { ListenAddress(argument: $0) }
      ?? .default
  }

  private func found(_ name: String) -> String? { reader.string(forKey: ConfigKey([name])) }

  /// Returns the text of an option; nil if the option is missing, or if its value is empty, which `finish` reports.
  mutating func text(_ name: String, _ expected: String) -> String? {
    value(name, expected) { $0.isEmpty ? nil : $0 }
  }

  /// Returns the value of an option; empty if the option is missing or empty, which `finish` reports.
  mutating func required(_ name: String) -> String {
    if let text = found(name), !text.isEmpty { return text }
    problems.append(
      "there is no \(name), expected --\(name), \(OptionVariables.name(of: name)), or \(name) in the file of --config"
    )
    return ""
  }

  /// Returns the parsed value of an option; nil if it is missing, or empty or invalid, which `finish` reports.
  mutating func value<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = found(name) else { return nil }
    if !text.isEmpty, let value = parse(text) { return value }
    let shown = text.isEmpty ? "empty" : "'\(String(displaying: text.utf8))'"
    problems.append("\(name) is \(shown), expected \(expected)")
    return nil
  }

  /// Returns whether an option is on; false if it is missing, or if it is invalid, which `finish` reports. Also accepts
  /// `yes`, `on`, `no` and `off`, the Boolean values of YAML 1.1.
  mutating func flag(_ name: String) -> Bool {
    value(name, "true or false") { text in
      switch text.lowercased() {
      case "true", "yes", "on": true
      case "false", "no", "off": false
      default: nil
      }
    } ?? false
  }

  /// Returns a number above 0; nil if the option is missing, or if it is invalid, which `finish` reports.
  mutating func positive<Number: FixedWidthInteger>(_ name: String, _ expected: String) -> Number? {
    value(name, expected) { text in Number(text).flatMap { $0 > 0 ? $0 : nil } }
  }
}

import Configuration
import Support
import SystemPackage

/// Reads options wherever they stand: on the command line, else in a variable, else in the file of `--config`. Notes what
/// is wrong with them, so that all of it can be said at once.
struct OptionReader {
  private let reader: ConfigReader
  private var problems: [String] = []

  /// - Parameters:
  ///   - config: the path that `--config` has; if nil, that of the variable `IAPKG_CONFIG`, if there is one.
  ///   - given: what stands on the command line, by the names of the options.
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read.
  init(config: String?, given: [String: String]) async throws {
    let values = Dictionary(
      uniqueKeysWithValues: given.map {
        (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
      })
    let variables = EnvironmentVariablesProvider().prefixKeys(with: "iapkg")
    var providers: [any ConfigProvider] = [InMemoryProvider(values: values), variables]
    if let path = config ?? ConfigReader(provider: variables).string(forKey: "config") {
      problems += try ConfigurationKeys.problems(in: path)
      providers.append(try await Self.file(path))
    }
    reader = ConfigReader(providers: providers)
  }

  private static func file(_ path: String) async throws -> any ConfigProvider {
    do {
      return path.hasSuffix(".json")
        ? try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        : try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
    } catch {
      throw CommandFailure(
        .configuration,
        "\(String(displaying: path.utf8)) has a value that is no text, number, truth value or list of them"
          + (path.hasSuffix(".json") ? ", or is not JSON" : ""))
    }
  }

  /// Ends the reading of options.
  ///
  /// - Throws: `CommandFailure` with `.configuration` and all that is wrong with those that were read.
  func finish() throws(CommandFailure) {
    guard problems.isEmpty else { throw CommandFailure(.configuration, problems) }
  }

  /// Where the ledger is.
  var database: String { text("database") ?? "iapkg-server.sqlite" }

  func text(_ name: String) -> String? {
    let key = ConfigKey([name])
    if let text = reader.string(forKey: key) { return text.isEmpty ? nil : text }
    // A file has numbers and truth values of their own.
    return reader.int(forKey: key).map { String($0) } ?? reader.bool(forKey: key).map { String($0) }
  }

  /// Empty if it stands nowhere, which `finish` says.
  mutating func required(_ name: String) -> String {
    if let text = text(name) { return text }
    problems.append(
      "there is no \(name), expected --\(name), \(OptionVariables.name(of: name)), or \(name) in the file of --config"
    )
    return ""
  }

  /// Nil if it stands nowhere, or is not what is expected, which `finish` says.
  mutating func value<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(name) else { return nil }
    if let value = parse(text) { return value }
    problems.append("\(name) is '\(String(displaying: text.utf8))', expected \(expected)")
    return nil
  }

  /// A number above 0.
  mutating func positive<Number: FixedWidthInteger>(_ name: String, _ expected: String) -> Number? {
    value(name, expected) { text in Number(text).flatMap { $0 > 0 ? $0 : nil } }
  }
}

import ContentPackage
import StrictYAML
import Support

/// Reads settings from the nodes of one file.
struct SettingsReader {
  private let path: String

  init(path: String) { self.path = path }

  func location(of node: YAMLNode) -> SettingsLocation { location(node.line, node.column) }

  private func location(_ line: Int, _ column: Int) -> SettingsLocation {
    SettingsLocation(path: path, line: line, column: column)
  }

  /// Returns the root of the single document; nil if the document is empty.
  func root(of bytes: [UInt8]) throws(SettingsError) -> YAMLNode? {
    do throws(YAMLError) {
      return try YAMLNode.root(of: bytes)
    } catch {
      throw SettingsError(location(error.line, error.column), error.message)
    }
  }
}

// MARK: - Values

extension SettingsReader {
  /// Returns the keys and values of a mapping.
  func pairs(_ node: YAMLNode, in what: String) throws(SettingsError) -> [(key: YAMLNode, value: YAMLNode)] {
    if case .text("") = node.content {
      throw SettingsError(location(of: node), "\(what) is empty; write {} or remove the key")
    }
    guard case .pairs(let pairs) = node.content else {
      throw SettingsError(
        location(of: node), "found \(Self.kind(node)) for \(what), expected keys with values")
    }
    return pairs
  }

  func key(_ node: YAMLNode) throws(SettingsError) -> SettingsFile.Key {
    try named(node, SettingsFile.Key.allCases.map { ($0.rawValue, $0) }, "key")
  }

  /// Returns a text that is not empty.
  func text(_ node: YAMLNode, of what: String) throws(SettingsError) -> Setting<String> {
    guard case .text(let text) = node.content else {
      throw SettingsError(location(of: node), "found \(Self.kind(node)) for \(what), expected a string")
    }
    guard !text.isEmpty else {
      throw SettingsError(location(of: node), "\(what) is empty; write a string or remove the key")
    }
    return Setting(text, at: location(of: node))
  }

  /// Returns the folder or address of a store. An address must not contain a user name, a password, a query or a
  /// fragment: they may be secrets, but version control stores the settings and `config` prints them.
  func store(_ node: YAMLNode) throws(SettingsError) -> Setting<String> {
    let store = try text(node, of: "store")
    guard let scheme = store.value.firstRange(of: "://") else { return store }
    let address = store.value[scheme.upperBound...]
    let host = address.prefix { $0 != "/" }
    guard !host.contains("@"), !address.contains("?"), !address.contains("#") else {
      throw SettingsError(
        store.location,
        "the address in store has a user name, a query or a fragment, which may be a secret; expected a scheme, a host and "
          + "a path")
    }
    return store
  }

  func channel(_ node: YAMLNode) throws(SettingsError) -> Setting<Channel> {
    let name = try text(node, of: "channel")
    guard let channel = Channel(name.value) else {
      throw SettingsError(
        name.location,
        "the channel is not a name of 1 to \(Channel.maximumLength) letters, digits, '.', '_' and '-'")
    }
    return Setting(channel, at: name.location)
  }

  func patterns(_ node: YAMLNode) throws(SettingsError) -> [Setting<PathPattern>] {
    var patterns: [Setting<PathPattern>] = []
    for node in try elements(node, of: "exclude") {
      patterns.append(try pattern(node, mayNegate: true))
    }
    return patterns
  }

  func ignoredRules(_ node: YAMLNode) throws(SettingsError) -> [Setting<IgnoredRule>] {
    var rules: [Setting<IgnoredRule>] = []
    for node in try elements(node, of: "ignore") { rules.append(try ignoredRule(node)) }
    return rules
  }

  func compression(_ node: YAMLNode) throws(SettingsError) -> [Setting<(PathPattern, Compression)>] {
    var choices: [Setting<(PathPattern, Compression)>] = []
    for (key, value) in try pairs(node, in: "compression") {
      let pattern = try pattern(key)
      let method = try named(value, [("store", Compression.store), ("deflate", .best)], "method")
      choices.append(Setting((pattern.value, method), at: pattern.location))
    }
    return choices
  }

  private func ignoredRule(_ node: YAMLNode) throws(SettingsError) -> Setting<IgnoredRule> {
    var rule: Rule?
    var path: PathPattern?
    var reason: String?
    for (key, value) in try pairs(node, in: "an element of ignore") {
      switch try named(key, ["rule", "path", "reason"].map { ($0, $0) }, "key") {
      case "rule": rule = try ignorableRule(value)
      case "path": path = try pattern(value).value
      default: reason = try text(value, of: "reason").value
      }
    }
    guard let rule else { throw SettingsError(location(of: node), "the key rule is missing") }
    guard let reason else {
      throw SettingsError(
        location(of: node), "the key reason is missing; state why findings of \(rule.rawValue) are acceptable"
      )
    }
    return Setting(IgnoredRule(rule: rule, path: path, reason: reason), at: location(of: node))
  }

  private func ignorableRule(_ node: YAMLNode) throws(SettingsError) -> Rule {
    let rule = try named(node, Rule.allCases.map { ($0.rawValue, $0) }, "rule")
    guard rule.description.isIgnorable else {
      throw SettingsError(location(of: node), "the rule \(rule.rawValue) cannot be ignored")
    }
    return rule
  }

  func pattern(
    _ node: YAMLNode, mayNegate: Bool = false
  ) throws(SettingsError) -> Setting<PathPattern> {
    let text = try text(node, of: "a pattern")
    guard text.value.utf8.count <= PathPattern.maximumByteCount, let pattern = PathPattern(text.value) else {
      throw SettingsError(
        text.location,
        "'\(text.value.prefix(40))' is not a pattern, expected one as in .gitignore, of at most \(PathPattern.maximumByteCount) bytes"
      )
    }
    guard mayNegate || !pattern.isNegated else {
      throw SettingsError(
        text.location,
        "the pattern '\(text.value.prefix(40))' begins with '!', which is allowed only in exclude; write '\\!' for a "
          + "name that begins with '!'")
    }
    return Setting(pattern, at: text.location)
  }

  private func elements(_ node: YAMLNode, of what: String) throws(SettingsError) -> [YAMLNode] {
    if case .text("") = node.content {
      throw SettingsError(location(of: node), "\(what) is empty; write [] or remove the key")
    }
    guard case .list(let nodes) = node.content else {
      throw SettingsError(location(of: node), "found \(Self.kind(node)) for \(what), expected a list")
    }
    return nodes
  }

  /// Returns the value whose name is the text of `node`.
  func named<Value>(
    _ node: YAMLNode, _ values: [(String, Value)], _ what: String
  ) throws(SettingsError) -> Value {
    let name = try text(node, of: "a \(what)").value
    if let (_, value) = values.first(where: { $0.0 == name }) { return value }
    let names = values.map(\.0)
    // A value that resembles no name may be a misplaced secret, so the message does not quote it.
    let message =
      if let near = Misspelling.nearest(to: name, among: names) {
        "there is no \(what) '\(name.prefix(40))'; did you mean \(near)?"
      } else if names.count > 10 {
        "there is no such \(what)"
      } else {
        "there is no such \(what), expected \(names.joined(separator: ", "))"
      }
    throw SettingsError(location(of: node), message)
  }

  private static func kind(_ node: YAMLNode) -> String {
    switch node.content {
    case .text: "a string"
    case .list: "a list"
    case .pairs: "keys with values"
    }
  }
}

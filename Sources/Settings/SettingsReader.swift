import ContentPackage
import Yams

/// Reads the nodes of one file.
struct SettingsReader {
  private let path: String

  init(path: String) { self.path = path }

  func place(of node: Node) -> SettingsPlace {
    SettingsPlace(path: path, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  private func place(_ line: Int, _ column: Int) -> SettingsPlace {
    SettingsPlace(path: path, line: line, column: column)
  }

  /// The root of the one document; nil if there is nothing in it.
  func root(of bytes: [UInt8]) throws(SettingsError) -> Node? {
    guard bytes.count <= SettingsFile.mostBytes else {
      throw SettingsError(
        place(1, 1), "the file has \(bytes.count) bytes, expected at most \(SettingsFile.mostBytes)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsError(place(1, 1), "the file is not UTF-8")
    }
    // An alias could make a small file stand for very much, so nothing may be named to be repeated.
    if let (line, column) = Self.anchor(in: bytes) {
      throw SettingsError(place(line, column), "found an anchor (&), which is not supported")
    }
    do {
      let root = try Yams.compose(yaml: text)
      // A document that has only its marker says nothing.
      if case .scalar(let scalar) = root, scalar.string.isEmpty, scalar.style == .plain,
        [.implicit, Tag(.null)].contains(scalar.tag)
      {
        return nil
      }
      return root
    } catch {
      throw settingsError(for: error)
    }
  }

  private func settingsError(for error: any Error) -> SettingsError {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return SettingsError(place(mark.line, mark.column), "the file is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      return SettingsError(
        place(context.mark.line, context.mark.column), "the key \(keys.first ?? "") is there twice")
    case .reader(let problem, _, _, _):
      return SettingsError(place(1, 1), "the file is not YAML: \(problem)")
    default:
      return SettingsError(place(1, 1), "the file is not YAML")
    }
  }

  /// The line and column of the first anchor: `&` before a letter, a digit, `_` or `-`, and not behind a letter or digit (libyaml,
  /// `yaml_parser_scan_anchor`). Such text in quotes counts too.
  private static func anchor(in bytes: [UInt8]) -> (Int, Int)? {
    var (line, column) = (1, 0)
    for (index, byte) in bytes.enumerated() {
      (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 0) : (line, column + 1)
      guard byte == UInt8(ascii: "&"), index + 1 < bytes.count, isWord(bytes[index + 1]) else { continue }
      if index == 0 || !isAlphanumeric(bytes[index - 1]) { return (line, column) }
    }
    return nil
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}

// MARK: - Values

extension SettingsReader {
  /// The keys and values of a mapping.
  func pairs(_ node: Node, in what: String) throws(SettingsError) -> [(Node, Node)] {
    guard case .mapping(let mapping) = node else {
      throw SettingsError(place(of: node), "found \(Self.kind(node)) for \(what), expected keys with values")
    }
    return mapping.map { ($0.key, $0.value) }
  }

  func key(_ node: Node) throws(SettingsError) -> SettingsFile.Key {
    try named(node, SettingsFile.Key.allCases.map { ($0.rawValue, $0) }, "key")
  }

  /// A text that is not empty.
  func text(_ node: Node, of what: String) throws(SettingsError) -> Setting<String> {
    guard case .scalar(let scalar) = node else {
      throw SettingsError(place(of: node), "found \(Self.kind(node)) for \(what), expected a text")
    }
    guard !scalar.string.isEmpty else {
      throw SettingsError(place(of: node), "there is nothing for \(what), expected a text")
    }
    return Setting(scalar.string, at: place(of: node))
  }

  func patterns(_ node: Node) throws(SettingsError) -> [Setting<PathPattern>] {
    var patterns: [Setting<PathPattern>] = []
    for node in try elements(node, of: "exclude") { patterns.append(try pattern(node)) }
    return patterns
  }

  func ignoredRules(_ node: Node) throws(SettingsError) -> [Setting<IgnoredRule>] {
    var rules: [Setting<IgnoredRule>] = []
    for node in try elements(node, of: "ignore") { rules.append(try ignoredRule(node)) }
    return rules
  }

  func compression(_ node: Node) throws(SettingsError) -> [Setting<(PathPattern, Compression)>] {
    var choices: [Setting<(PathPattern, Compression)>] = []
    for (key, value) in try pairs(node, in: "compression") {
      let pattern = try pattern(key)
      let method = try named(value, [("store", Compression.store), ("deflate", .best)], "method")
      choices.append(Setting((pattern.value, method), at: pattern.place))
    }
    return choices
  }

  private func ignoredRule(_ node: Node) throws(SettingsError) -> Setting<IgnoredRule> {
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
    guard let rule else { throw SettingsError(place(of: node), "the key rule is missing") }
    guard let reason else {
      throw SettingsError(
        place(of: node), "the key reason is missing: say why the findings of \(rule.rawValue) are right")
    }
    return Setting(IgnoredRule(rule: rule, path: path, reason: reason), at: place(of: node))
  }

  private func ignorableRule(_ node: Node) throws(SettingsError) -> Rule {
    let rule = try named(node, Rule.allCases.map { ($0.rawValue, $0) }, "rule")
    guard rule.description.ignorable else {
      throw SettingsError(place(of: node), "the rule \(rule.rawValue) cannot be ignored")
    }
    return rule
  }

  private func pattern(_ node: Node) throws(SettingsError) -> Setting<PathPattern> {
    let text = try text(node, of: "a pattern")
    guard text.value.utf8.count <= PathPattern.mostBytes, let pattern = PathPattern(text.value) else {
      throw SettingsError(
        text.place,
        "'\(text.value.prefix(40))' is no pattern, expected one of .gitignore of at most \(PathPattern.mostBytes) bytes"
      )
    }
    return Setting(pattern, at: text.place)
  }

  private func elements(_ node: Node, of what: String) throws(SettingsError) -> [Node] {
    guard case .sequence(let sequence) = node else {
      throw SettingsError(place(of: node), "found \(Self.kind(node)) for \(what), expected a list")
    }
    return Array(sequence)
  }

  /// The value that a text names.
  private func named<Value>(
    _ node: Node, _ values: [(String, Value)], _ what: String
  ) throws(SettingsError) -> Value {
    let name = try text(node, of: "a \(what)").value
    if let (_, value) = values.first(where: { $0.0 == name }) { return value }
    let names = values.map(\.0)
    let near = Misspelling.nearest(to: name, among: names)
    let ending =
      near.map { "; did you mean \($0)?" }
      ?? (names.count > 10 ? "" : ", expected \(names.joined(separator: ", "))")
    throw SettingsError(place(of: node), "there is no \(what) '\(name.prefix(80))'\(ending)")
  }

  private static func kind(_ node: Node) -> String {
    switch node {
    case .scalar: "a text"
    case .sequence: "a list"
    case .mapping: "keys with values"
    case .alias: "an alias"
    }
  }
}

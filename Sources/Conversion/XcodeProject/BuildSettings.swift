import PropertyList

/// The build settings of a target, with those of its project as fallback.
struct BuildSettings {
  /// The maximum depth of nested references.
  private static let maximumDepth = 32
  /// The maximum size of a value in bytes.
  private static let maximumByteCount = 1 << 16

  /// The settings of the target, then those of the project, then Xcode's built-in ones.
  private let levels: [[String: String]]
  private let path: String

  /// - Parameters:
  ///   - levels: Settings by name, in descending priority.
  ///   - path: The project, for messages.
  init(_ levels: [[String: String]], path: String) {
    self.levels = levels
    self.path = path
  }

  /// Returns the configuration for archive builds: the default one of the list, or `Release`.
  static func configuration(of object: ProjectObject, in objects: ProjectObjects) -> ProjectObject? {
    guard let list = objects[object.text("buildConfigurationList")] else { return nil }
    let configurations = objects.list("buildConfigurations", of: list)
    let name = list.text("defaultConfigurationName") ?? "Release"
    return configurations.first { $0.text("name") == name } ?? configurations.first
  }

  /// Returns the value of a setting with all references resolved; nil if there is none.
  func value(_ name: String) throws(ConversionError) -> String? {
    try value(name, from: 0, depth: 0)
  }

  /// Returns a text with all references `$(NAME)` and `${NAME}` resolved.
  func resolved(_ text: String) throws(ConversionError) -> String {
    try resolved(text, inherited: nil, depth: 0)
  }

  private func value(_ name: String, from level: Int, depth: Int) throws(ConversionError) -> String? {
    guard let found = levels.indices.dropFirst(level).first(where: { levels[$0][name] != nil }),
      let text = levels[found][name]
    else { return nil }
    return try resolved(text, inherited: (name, found + 1), depth: depth)
  }

  private func resolved(
    _ text: String, inherited: (name: String, level: Int)?, depth: Int
  ) throws(ConversionError) -> String {
    guard depth <= Self.maximumDepth else {
      throw .damaged(path, "a build setting refers to itself: '\(text)'")
    }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let after = rest[rest.index(after: dollar)...]
      guard let open = after.first, open == "(" || open == "{",
        let close = after.firstIndex(of: open == "(" ? ")" : "}")
      else {
        result.append("$")
        rest = after
        continue
      }
      let expression = String(after[after.index(after: after.startIndex)..<close])
      result += try value(ofExpression: expression, inherited, depth: depth + 1)
      rest = after[after.index(after: close)...]
      guard result.utf8.count <= Self.maximumByteCount else {
        throw .damaged(path, "a build setting becomes too long")
      }
    }
    return result + rest
  }

  /// Returns the value of `NAME` or `NAME:operator`.
  private func value(
    ofExpression expression: String, _ inherited: (name: String, level: Int)?, depth: Int
  ) throws(ConversionError) -> String {
    let parts = expression.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    if name == "inherited", let inherited {
      return try value(inherited.name, from: inherited.level, depth: depth) ?? ""
    }
    guard var value = try value(name, from: 0, depth: depth) else {
      throw .damaged(
        path,
        "the build setting '\(name)' has no value; those for other builds than the archive, or given on the command line, are not known"
      )
    }
    for part in parts.dropFirst() { value = try applied(part, to: value) }
    return value
  }

  /// Applies an operator of Xcode to a value.
  private func applied(_ operation: String, to value: String) throws(ConversionError) -> String {
    switch operation {
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "rfc1034identifier": return String(value.map { Self.isPlain($0) || $0 == "." ? $0 : "-" })
    case "c99extidentifier", "identifier":
      return String(value.map { Self.isPlain($0) && $0 != "-" ? $0 : "_" })
    default: throw .damaged(path, "a build setting has the unknown operator ':\(operation)'")
    }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-")
  }

  /// Returns a property list with all references in its strings resolved.
  func resolved(_ value: PropertyListValue) throws(ConversionError) -> PropertyListValue {
    switch value {
    case .string(let text): return .string(try resolved(text))
    case .array(let values):
      var resolved: [PropertyListValue] = []
      for value in values { resolved.append(try self.resolved(value)) }
      return .array(resolved)
    case .dictionary(let pairs):
      var resolved: [PropertyListPair] = []
      for pair in pairs {
        resolved.append(PropertyListPair(key: pair.key, value: try self.resolved(pair.value)))
      }
      return .dictionary(resolved)
    default: return value
    }
  }
}

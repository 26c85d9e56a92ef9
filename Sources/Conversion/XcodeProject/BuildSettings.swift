import PropertyList

/// The build settings of a target, with those of its project as fallback.
struct BuildSettings {
  /// The maximum depth of nested references.
  private static let maximumDepth = 32
  /// The maximum size of a value in bytes.
  private static let maximumByteCount = 1 << 16
  /// The maximum number of references in a value, including those of the settings that it refers to.
  private static let maximumReferenceCount = 1 << 16

  /// The settings of the target, then those of the project, then Xcode's built-in ones.
  private let levels: [[String: String]]
  private let path: String

  /// Creates the settings from their levels.
  ///
  /// - Parameters:
  ///   - levels: Settings by name, in descending priority.
  ///   - path: The project, for messages.
  init(_ levels: [[String: String]], path: String) {
    self.levels = levels
    self.path = path
  }

  /// Returns the configuration for archive builds: the default of the list, `Release` if it has no default, or else the
  /// first configuration.
  static func configuration(of object: ProjectObject, in objects: ProjectObjects) -> ProjectObject? {
    guard let list = objects[object.text("buildConfigurationList")] else { return nil }
    let configurations = objects.list("buildConfigurations", of: list)
    let name = list.text("defaultConfigurationName") ?? "Release"
    return configurations.first { $0.text("name") == name } ?? configurations.first
  }

  /// Returns the value of a setting with all references resolved; nil if there is none.
  func value(_ name: String) throws(ConversionError) -> String? {
    var count = 0
    return try value(name, from: 0, depth: 0, &count)
  }

  /// Returns a text with all references `$(NAME)` and `${NAME}` resolved.
  func resolved(_ text: String) throws(ConversionError) -> String {
    var count = 0
    return try resolved(text, inherited: nil, depth: 0, &count)
  }

  private func value(
    _ name: String, from level: Int, depth: Int, _ count: inout Int
  ) throws(ConversionError) -> String? {
    guard let found = levels.indices.dropFirst(level).first(where: { levels[$0][name] != nil }),
      let text = levels[found][name]
    else { return nil }
    return try resolved(text, inherited: (name, found + 1), depth: depth, &count)
  }

  private func resolved(
    _ text: String, inherited: (name: String, level: Int)?, depth: Int, _ count: inout Int
  ) throws(ConversionError) -> String {
    guard depth <= Self.maximumDepth else {
      throw .damaged(path, "a build setting refers to itself: '\(text)'")
    }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      guard rest.dropFirst().first.map(BuildSettingReference.begins) == true else {
        result.append("$")
        rest = rest.dropFirst()
        continue
      }
      guard let reference = BuildSettingReference(rest) else { break }
      count += 1
      guard count <= Self.maximumReferenceCount else {
        throw .damaged(path, "its build settings have more than \(Self.maximumReferenceCount) references")
      }
      result += try value(of: reference, inherited, depth: depth + 1, &count)
      rest = reference.rest
      guard result.utf8.count <= Self.maximumByteCount else {
        throw .damaged(path, "a build setting becomes too long")
      }
    }
    return result + rest
  }

  private func value(
    of reference: BuildSettingReference, _ inherited: (name: String, level: Int)?, depth: Int,
    _ count: inout Int
  ) throws(ConversionError) -> String {
    let name = try resolved(reference.name, inherited: inherited, depth: depth, &count)
    var value: String?
    if name == "inherited", let inherited {
      value = try self.value(inherited.name, from: inherited.level, depth: depth, &count) ?? ""
    } else {
      value = try self.value(name, from: 0, depth: depth, &count)
    }
    for operation in reference.operations {
      if operation.hasPrefix(Self.defaultOperator) {
        let operand = String(operation.dropFirst(Self.defaultOperator.count))
        if value?.isEmpty != false {
          value = try resolved(operand, inherited: inherited, depth: depth, &count)
        }
      } else {
        let result = try applied(operation, to: value ?? "")
        if value != nil { value = result }
      }
    }
    guard let value else {
      throw .damaged(
        path,
        "the build setting '\(name)' has no value; values for other builds than the archive, or given on the command line, are unknown"
      )
    }
    return value
  }

  /// The operator whose operand replaces an empty or missing value.
  private static let defaultOperator = "default="

  /// Applies another operator of Xcode to a value.
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
    var count = 0
    return try resolved(value, &count)
  }

  private func resolved(
    _ value: PropertyListValue, _ count: inout Int
  ) throws(ConversionError) -> PropertyListValue {
    switch value {
    case .string(let text): return .string(try resolved(text, inherited: nil, depth: 0, &count))
    case .array(let values):
      var resolved: [PropertyListValue] = []
      for value in values { resolved.append(try self.resolved(value, &count)) }
      return .array(resolved)
    case .dictionary(let pairs):
      var resolved: [PropertyListPair] = []
      for pair in pairs {
        resolved.append(PropertyListPair(key: pair.key, value: try self.resolved(pair.value, &count)))
      }
      return .dictionary(resolved)
    default: return value
    }
  }
}

import PropertyList

/// The objects of an Xcode project, by identifier.
struct ProjectObjects {
  private let objects: [String: [String: PropertyListValue]]
  let root: ProjectObject

  /// Parses a project file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of `project.pbxproj`: an OpenStep, XML or binary property list.
  ///   - path: The file, for messages.
  /// - Throws: `ConversionError.damaged`.
  init(_ bytes: [UInt8], path: String) throws(ConversionError) {
    let value: PropertyListValue
    do throws(PropertyListError) {
      let isXMLOrBinary = bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "bplist".utf8)
      value = isXMLOrBinary ? try PropertyListDocument.parse(bytes).root : try OpenStepReader.parse(bytes)
    } catch {
      throw .damaged(path, "it cannot be read: \(error)")
    }
    let file = value.members
    guard let entries = file["objects"]?.members, let name = file["rootObject"]?.string else {
      throw .damaged(path, "it has no objects or no rootObject, expected both")
    }
    objects = entries.mapValues(\.members)
    guard let project = objects[name], project["isa"]?.string == "PBXProject" else {
      throw .damaged(path, "its rootObject is not a PBXProject")
    }
    root = ProjectObject(identifier: name, values: project)
  }

  /// Returns the object with an identifier; nil if there is none.
  subscript(_ identifier: String?) -> ProjectObject? {
    guard let identifier, let values = objects[identifier] else { return nil }
    return ProjectObject(identifier: identifier, values: values)
  }

  /// Returns the objects that a list of another object refers to.
  func list(_ key: String, of object: ProjectObject) -> [ProjectObject] {
    object.values[key]?.elements.compactMap { self[$0.string] } ?? []
  }

  /// Returns the objects of a class, sorted by identifier.
  func all(of kind: String) -> [ProjectObject] {
    objects.filter { $0.value["isa"]?.string == kind }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ProjectObject(identifier: $0.key, values: $0.value) }
  }

  /// Returns the groups by the identifiers of their children.
  func parents() -> [String: ProjectObject] {
    var parents: [String: ProjectObject] = [:]
    for (identifier, values) in objects {
      let group = ProjectObject(identifier: identifier, values: values)
      guard group.kind == "PBXGroup" || group.kind == "PBXVariantGroup" else { continue }
      for child in values["children"]?.elements ?? [] {
        if let name = child.string { parents[name] = group }
      }
    }
    return parents
  }
}

/// An object of an Xcode project.
struct ProjectObject {
  let identifier: String
  let values: [String: PropertyListValue]

  /// The class of the object.
  var kind: String { text("isa") ?? "" }
  /// The display name in Xcode.
  var name: String { text("name") ?? text("path") ?? identifier }

  func text(_ key: String) -> String? { values[key]?.string }
}

extension PropertyListValue {
  /// The value of a string; nil for other values.
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array; empty for other values.
  var elements: [PropertyListValue] { if case .array(let values) = self { values } else { [] } }

  /// The members of a dictionary; empty for other values.
  var members: [String: PropertyListValue] {
    guard case .dictionary(let pairs) = self else { return [:] }
    return Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }
}

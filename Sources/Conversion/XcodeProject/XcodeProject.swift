import ContentPackage
import PropertyList
import SafeFiles
import Support
import ZipArchive

/// An Xcode project with targets for hosted content.
struct XcodeProject {
  /// The product type of content targets.
  private static let productType = "com.apple.product-type.in-app-purchase-content"
  /// The name of the project file in the project's folder.
  private static let fileName = "project.pbxproj"
  /// The maximum number of nested groups.
  private static let maximumDepth = 64

  let objects: ProjectObjects
  private let parents: [String: ProjectObject]
  /// The project, for messages.
  let path: String
  /// The path of the project, ending in the name of its folder.
  private let projectPath: String
  /// The folder to which all paths are relative.
  let folder: String

  /// Returns whether a folder is an Xcode project.
  static func isProject(_ path: String) -> Bool {
    (try? FileSystem.kind(of: FileSystem.joined(path, fileName))) == .file
  }

  /// Reads a project.
  ///
  /// - Throws: `ConversionError.damaged`, `FileError`, `SourceError`.
  init(_ path: String) throws {
    let file = try InputFile.open(FileSystem.joined(path, Self.fileName))
    guard file.byteCount <= OpenStepReader.maximumByteCount else {
      throw ConversionError.damaged(
        path,
        "its \(Self.fileName) has \(file.byteCount) bytes, expected at most \(OpenStepReader.maximumByteCount)"
      )
    }
    objects = try ProjectObjects(try file.bytes(at: 0, count: Int(file.byteCount)), path: file.path)
    parents = objects.parents()
    self.path = path
    // A path that ends in `.` or `..` is resolved, because its last component is not the name of the folder.
    projectPath =
      [[], Array(".".utf8), Array("..".utf8)].contains(FileSystem.name(of: path))
      ? try FileSystem.resolved(path) : path
    let parent = FileSystem.folder(of: projectPath)
    let directory = objects.root.text("projectDirPath") ?? ""
    folder = directory.isEmpty ? parent : Self.joined(parent, directory)
  }

  /// A target for hosted content.
  struct Target {
    let name: String
    let object: ProjectObject
  }

  /// Returns the content targets, in the order of the project.
  ///
  /// - Throws: `ConversionError.damaged` if there are none.
  func targets() throws(ConversionError) -> [Target] {
    let targets = objects.list("targets", of: objects.root)
      .filter { $0.text("productType") == Self.productType }.map { Target(name: $0.name, object: $0) }
    guard !targets.isEmpty else {
      throw .damaged(path, "it has no target of the type \(Self.productType)")
    }
    return targets
  }

  /// Returns the build settings of a target.
  ///
  /// - Throws: `ConversionError.damaged`, and `FileError` or `SourceError` for a configuration file.
  func settings(of target: Target) throws -> BuildSettings {
    let builtIn = [
      "TARGET_NAME": target.name, "TARGETNAME": target.name,
      "PRODUCT_NAME": target.object.text("productName") ?? target.name,
      "PROJECT_NAME": projectName, "SRCROOT": folder, "SOURCE_ROOT": folder, "PROJECT_DIR": folder,
      "CONFIGURATION": BuildSettings.configuration(of: target.object, in: objects)?.text("name") ?? "Release",
    ]
    return BuildSettings(try levels(of: target.object) + levels(of: objects.root) + [builtIn], path: path)
  }

  /// Returns the settings of a target or of the project, followed by those of its base configuration file.
  private func levels(of object: ProjectObject) throws -> [[String: String]] {
    guard let configuration = BuildSettings.configuration(of: object, in: objects) else { return [] }
    let own = configuration.values["buildSettings"]?.members.compactMapValues(BuildSettingList.text) ?? [:]
    let build = BuildCondition(configuration: configuration.text("name") ?? "Release")
    let ownSettings = build.settings(own.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    guard let base = try base(of: configuration) else { return [ownSettings] }
    return [ownSettings, build.settings(try ConfigurationFile(base, in: folder, of: path).settings)]
  }

  /// Returns the path of a configuration's base file: a file of the project, or a file in one of its folders.
  private func base(of configuration: ProjectObject) throws(ConversionError) -> String? {
    let keys = ["baseConfigurationReference", "baseConfigurationReferenceAnchor"]
    guard let name = keys.compactMap({ configuration.text($0) }).first else { return nil }
    guard let object = objects[name] else {
      throw .damaged(
        path, "the configuration '\(configuration.name)' is based on a file that is not in the project")
    }
    let basePath = try location(of: object)
    return configuration.text("baseConfigurationReferenceRelativePath").map { Self.joined(basePath, $0) }
      ?? basePath
  }

  private var projectName: String {
    let name = String(decoding: FileSystem.name(of: projectPath), as: UTF8.self)
    return name.hasSuffix(".xcodeproj") ? String(name.dropLast(".xcodeproj".count)) : name
  }

  /// Returns the manifest of a target, with its settings resolved.
  ///
  /// - Throws: `ConversionError.damaged`, `FileError`, `SourceError`.
  func manifest(of target: Target) throws -> [UInt8] {
    let settings = try settings(of: target)
    let path = try manifestPath(of: target, settings)
    try checkInside(path)
    let file = try InputFile.open(path)
    let bytes = try file.bytes(at: 0, count: PropertyListLimits.maximumFileSize + 1)
    // Unreadable manifests are left to the rules, which report the reason.
    guard let document = try? PropertyListDocument.parse(bytes) else { return bytes }
    let resolved = try settings.resolved(document.root)
    return resolved == document.root ? bytes : PropertyListDocument.xml(resolved) ?? bytes
  }

  private func manifestPath(of target: Target, _ settings: BuildSettings) throws -> String {
    guard let name = try settings.value("INFOPLIST_FILE") else {
      throw ConversionError.damaged(path, "the target '\(target.name)' has no setting INFOPLIST_FILE")
    }
    return Self.joined(folder, name)
  }

  /// Returns the paths of the manifest and of the files and folders that a target copies, as far as they are known.
  func sources(of target: Target) -> [String] {
    let manifest = try? manifestPath(of: target, settings(of: target))
    return [manifest].compactMap(\.self) + ((try? resources(of: target)) ?? []).map(\.source)
  }

  /// Returns the files and folders that the build phases of a target copy.
  ///
  /// - Throws: `ConversionError.damaged`, and `FileError` or `SourceError` for a configuration file.
  func resources(of target: Target) throws -> [ProjectResource] {
    var resources: [ProjectResource] = []
    for phase in objects.list("buildPhases", of: target.object) {
      let phaseFolder: EntryPath
      switch phase.kind {
      case "PBXResourcesBuildPhase": phaseFolder = PackageLayout.contents
      case "PBXCopyFilesBuildPhase": phaseFolder = try destination(of: phase, try settings(of: target))
      default: continue
      }
      for file in objects.list("files", of: phase) {
        guard let reference = objects[file.text("fileRef")] else {
          throw ConversionError.damaged(
            path, "a phase of the target '\(target.name)' has a file that is not in the project")
        }
        resources += try self.resources(reference, to: phaseFolder)
      }
    }
    return resources
  }

  /// Returns the destination of a copy phase.
  private func destination(
    of phase: ProjectObject, _ settings: BuildSettings
  ) throws(ConversionError) -> EntryPath {
    let subpath = try settings.resolved(phase.text("dstPath") ?? "")
    let parts = subpath.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
    // PBXCopyFilesBuildPhase, dstSubfolderSpec: 1 is the product itself, 7 its resources.
    switch phase.text("dstSubfolderSpec") {
    case "7": return parts.reduce(PackageLayout.contents) { $0.appending($1) }
    case "1": return parts.reduce(EntryPath("")) { $0.appending($1) }
    default:
      throw .damaged(
        path, "a phase copies files to a folder outside of the product, expected one in its resources")
    }
  }

  /// Returns the files and folders of a reference, or of all variants of a localized reference.
  func resources(
    _ reference: ProjectObject, to destination: EntryPath
  ) throws(ConversionError) -> [ProjectResource] {
    guard reference.kind == "PBXVariantGroup" else {
      return [try resource(reference, to: destination)]
    }
    var resources: [ProjectResource] = []
    for variant in objects.list("children", of: reference) {
      resources.append(try resource(variant, to: destination, language: variant.name))
    }
    return resources
  }

  private func resource(
    _ reference: ProjectObject, to destination: EntryPath, language: String? = nil
  ) throws(ConversionError) -> ProjectResource {
    Self.resource(at: try location(of: reference), to: destination, language: language)
  }

  /// Returns the resource that Xcode copies for a file or folder, below the name of its language if it has one.
  static func resource(
    at source: String, to destination: EntryPath, language: String? = nil
  ) -> ProjectResource {
    let name = FileSystem.name(of: source)
    let parentName = FileSystem.name(of: FileSystem.folder(of: source))
    let suffix = Array(".lproj".utf8)
    let folder: EntryPath
    if parentName.count > suffix.count, parentName.suffix(suffix.count).elementsEqual(suffix) {
      folder = destination.appending(parentName)
    } else if let language {
      folder = destination.appending(language + ".lproj")
    } else {
      folder = destination
    }
    return ProjectResource(source: source, destination: folder.appending(name))
  }

  /// Returns the path of a file, resolved through its groups.
  func location(of reference: ProjectObject) throws(ConversionError) -> String {
    var parts: [String] = []
    var object: ProjectObject? = reference
    for _ in 0..<Self.maximumDepth {
      guard let current = object else { break }
      if let part = current.text("path"), !part.isEmpty { parts.append(part) }
      switch current.text("sourceTree") {
      case "<group>", nil: object = parents[current.identifier]
      case "SOURCE_ROOT": object = nil
      case "<absolute>": return parts.reversed().joined(separator: "/")
      case let tree?:
        throw .damaged(path, "'\(reference.name)' is in \(tree), expected the project or an absolute path")
      }
    }
    guard object == nil else { throw .damaged(path, "'\(reference.name)' is in too many groups") }
    return parts.reversed().reduce(folder, Self.joined)
  }

  /// Checks that a path stays in the project's folder.
  ///
  /// - Throws: `ConversionError.damaged` for a path that leads out of the folder: an absolute path, or one with `..` or
  ///   a symbolic link; `FileError` for a missing file.
  func checkInside(_ source: String) throws {
    let resolved = try FileSystem.resolved(source)
    guard try !FileSystem.isPath(resolved, in: FileSystem.resolved(folder)) else { return }
    let shown = source.hasPrefix(folder) ? source.dropFirst(folder.count).drop { $0 == "/" } : source[...]
    throw ConversionError.damaged(
      path, "'\(shown)' leads out of the folder of the project; copy its target into the folder")
  }

  /// Resolves a path relative to a folder; absolute paths are unchanged.
  static func joined(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") ? path : FileSystem.joined(folder, path)
  }
}

/// A file or folder that a target copies.
struct ProjectResource: Equatable {
  /// The path on disk.
  let source: String
  /// The path in the package.
  let destination: EntryPath
  /// The names of items directly in the folder that are not copied.
  var excludedNames: Set<String> = []
}

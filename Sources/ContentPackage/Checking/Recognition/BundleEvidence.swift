import PropertyList
import ZipArchive

/// The evidence that folders are programs, libraries or plug-ins (Apple's Bundle Programming Guide). The name of a
/// folder is not evidence.
struct BundleEvidence {
  /// The evidence by folder, as text that follows "which".
  private var proofs: [EntryPath: String] = [:]

  /// The name of the file that describes a bundle.
  static let infoPlist = EntryPath("Info.plist")
  /// The maximum size of an `Info.plist` that is read, in bytes. Real files have a few thousand.
  static let maximumInfoPlistSize: Int64 = 64 * 1024

  /// The maximum length of a file name, in bytes (NAME_MAX).
  private static let maximumNameLength = 255

  /// The number of bundles, including those inside other bundles.
  var count: Int { proofs.count }

  /// Returns the name of the executable in an `Info.plist` with these bytes; nil for no name or a placeholder.
  static func executable(inInfoPlist bytes: [UInt8]) -> String? {
    guard let document = try? PropertyListDocument.parse(bytes),
      case .string(let name) = document.value(forKey: "CFBundleExecutable"), !name.isEmpty,
      name.utf8.count <= maximumNameLength, !isPlaceholder(name)
    else { return nil }
    return name
  }

  /// Returns whether a name is a placeholder, as in the sources of a bundle: Xcode's $(EXECUTABLE_NAME), CMake's
  /// ${MACOSX_BUNDLE_EXECUTABLE_NAME} and @name@.
  private static func isPlaceholder(_ name: String) -> Bool {
    name.contains("$(") || name.contains("${") || (name.hasPrefix("@") && name.hasSuffix("@"))
  }

  /// Adds the evidence in the path of a file.
  mutating func add(file path: EntryPath) {
    let parts = path.parts
    guard parts.count > 3 else { return }
    for index in 1..<parts.count - 2
    where parts[index].elementsEqual("Contents".utf8) && parts[index + 1].elementsEqual("MacOS".utf8) {
      proofs[path.prefix(parts[index - 1].endIndex)] = "has a folder Contents/MacOS"
    }
  }

  /// Adds the `Info.plist` at `path`. An `Info.plist` that names an executable proves a bundle, whatever the name of its
  /// folder.
  mutating func add(executable: String, namedBy path: EntryPath) {
    guard let folder = path.parent else { return }
    // The file is in the bundle's folder, in its Contents or Resources, or in such a folder of a version.
    var parts = folder.parts[...]
    if parts.count > 1, let last = parts.last,
      last.elementsEqual("Contents".utf8) || last.elementsEqual("Resources".utf8)
    {
      parts.removeLast()
    }
    if parts.count > 2, parts[parts.endIndex - 2].elementsEqual("Versions".utf8) { parts.removeLast(2) }
    guard let end = parts.last?.endIndex else { return }
    proofs[path.prefix(end)] =
      "has an Info.plist that names the executable '\(EntryPath(executable).escaped)'"
  }

  /// Adds a file that contains code.
  mutating func add(codeAt path: EntryPath) {
    guard let folder = path.parent, let bundle = NameRecognizer.outermostBundle(around: folder) else {
      return
    }
    proofs[bundle] = proofs[bundle] ?? "has code"
  }

  /// The outermost bundles, sorted by path.
  var bundles: [(path: EntryPath, description: String)] {
    let outermost = proofs.keys.filter { path in
      var above = path.parent
      while let folder = above {
        if proofs[folder] != nil { return false }
        above = folder.parent
      }
      return true
    }
    return outermost.sorted().map { path in
      let kind = NameRecognizer.bundleRecognition(path.name)?.formatName ?? "a bundle"
      return (path, "\(kind), which \(proofs[path] ?? "is one")")
    }
  }
}

import ContentPackage
import SafeFiles
import Support

/// An input path from the command line, and the kinds of input that the command accepts there.
struct CommandInput {
  enum Kind {
    case package, contentFolder, folder, manifest
  }

  let path: String
  let kinds: [Kind]
  /// Whether `-` means standard input.
  var takesStandardInput = false

  init(_ path: String, _ kinds: Kind...) {
    self.path = path
    self.kinds = kinds
  }

  /// This input, with standard input allowed.
  var orStandardInput: CommandInput {
    var input = self
    input.takesStandardInput = true
    return input
  }

  /// The end of the message for a missing input: a suggestion, or the expected kinds.
  var hint: String {
    let similar = similarPaths
    guard similar.isEmpty else { return "; did you mean \(Suggestion.list(similar))?" }
    return "; expected \(Suggestion.list(kinds.map(\.text)))"
  }

  /// Paths in the same folder with a similar name and an expected kind.
  private var similarPaths: [String] {
    let folder = FileSystem.folder(of: path)
    let name = String(decoding: FileSystem.name(of: path), as: UTF8.self)
    guard !name.isEmpty, let names = try? DirectoryHandle.open(folder).list() else { return [] }
    // Names that need escaping are omitted: the user could not copy them from the message.
    let shown = names.compactMap { name in
      let text = String(displaying: name)
      return text.utf8.elementsEqual(name) ? text : nil
    }
    let matching = shown.filter { name in kinds.contains { $0.matches(FileSystem.joined(folder, name)) } }
    return Self.names(like: name, among: matching).map {
      path.contains("/") ? FileSystem.joined(folder, $0) : $0
    }
  }

  private static func names(like name: String, among names: [String]) -> [String] {
    let package = name + PackageLayout.fileExtension
    if names.contains(package) { return [package] }
    let sameLetters = names.filter { $0.lowercased() == name.lowercased() }
    guard sameLetters.isEmpty else { return sameLetters }
    let similar = Suggestion.names(for: name, among: names)
    return similar.isEmpty ? Suggestion.names(for: package, among: names) : similar
  }
}

extension CommandInput.Kind {
  fileprivate var text: String {
    switch self {
    case .package: "a package (.pkg)"
    case .contentFolder: "a folder with ContentInfo.plist"
    case .folder: "a folder"
    case .manifest: "a ContentInfo.plist"
    }
  }

  /// Returns whether the item at `path` matches this kind.
  fileprivate func matches(_ path: String) -> Bool {
    // A content folder without a manifest counts too: `validate` reports the missing file.
    let wanted: FileStatus.Kind = self == .contentFolder || self == .folder ? .folder : .file
    let ending = self == .package ? PackageLayout.fileExtension : self == .manifest ? ".plist" : ""
    return path.lowercased().hasSuffix(ending) && (try? FileSystem.kind(of: path)) == wanted
  }
}

extension CommandInput {
  /// Checks that `path` is a folder.
  ///
  /// - Throws: `FileError` with operation `open`.
  static func checkFolder(_ path: String) throws(FileError) { _ = try DirectoryHandle.open(path) }
}

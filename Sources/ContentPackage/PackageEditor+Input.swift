package import SafeFiles
import ZipArchive

extension PackageEditor {
  /// What is to be edited: a package, or a manifest, which may lie in a content folder.
  package enum Input: Sendable {
    case package(String)
    case manifest(String)

    /// The file that is edited.
    package var path: String {
      switch self {
      case .package(let path), .manifest(let path): path
      }
    }

    /// Looks at what `path` leads to: a file is a package if it is called one or begins like one.
    ///
    /// - Throws: `FileFailure` if there is nothing, or it cannot be read.
    package init(_ path: String) throws(FileFailure) {
      guard try FileSystem.kind(of: path) != .folder else {
        self = .manifest("\(path)/\(PackageLayout.manifest.escaped)")
        return
      }
      let isNamedPackage = EntryPath(path).hasSuffix(PackageLayout.fileExtension)
      let head = try InputFile.open(path).bytes(at: 0, count: 4)
      self = isNamedPackage || NestedArchiveRules.isArchive(head) ? .package(path) : .manifest(path)
    }
  }
}

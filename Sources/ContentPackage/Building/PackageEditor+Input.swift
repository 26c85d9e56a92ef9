#if COMMAND_LINE_TOOL
package import SafeFiles
package import Support
import SystemPackage
import ZipArchive

extension PackageEditor {
  /// The open input of an edit: a package, or a manifest, which may be in a content folder.
  package struct Input: Sendable {
    /// The path that was given.
    package let path: String
    /// The file that is edited.
    let file: InputFile
    /// The package; nil for a manifest.
    let package: PackageSource?
    /// Whether it is a package, and not a manifest.
    package var isPackage: Bool { package != nil }

    /// The maximum number of attempts to open a file that other processes keep replacing.
    private static let maximumAttemptCount = 100

    /// Opens the input at `path` and reads its structure; see `hold`.
    package static func open(_ path: String, locking: Bool) throws -> Input {
      try hold(path, locking: locking).input()
    }

    /// An input of which only the beginning has been read.
    package struct Held: Sendable {
      fileprivate let path: String
      fileprivate let file: InputFile
      package let isPackage: Bool

      /// Reads the structure of a package, which takes memory for its names.
      ///
      /// - Throws: `SourceError` if it cannot be read.
      package func input() throws -> Input {
        Input(path: path, file: file, package: isPackage ? try PackageSource.open(file) : nil)
      }
    }

    /// Opens the input at `path`. A file is a package if its name ends in `.pkg` or it begins like one.
    ///
    /// - Parameters:
    ///   - path: A package, a content folder or a manifest.
    ///   - locking: Whether to lock the file, because the result will replace it. Only one process may do that at a
    ///     time.
    /// - Returns: The open input.
    /// - Throws: `FileError` if the file does not exist, `SourceError` if it cannot be read, `InputBusy`;
    ///   `EditingError.unsound` if the manifest of a content folder is a link.
    package static func hold(_ path: String, locking: Bool) throws -> Held {
      let isInFolder = try FileSystem.kind(of: path) == .folder
      let filePath = isInFolder ? "\(path)/\(PackageLayout.manifest.escaped)" : path
      let file =
        locking
        ? try openLocked(filePath, inFolder: isInFolder) : try open(filePath, inFolder: isInFolder)
      let isNamedPackage = EntryPath(path).hasSuffix(PackageLayout.fileExtension)
      let isPackage =
        try !isInFolder
        && (isNamedPackage || NestedArchiveRules.isArchive(file.bytes(at: 0, count: 4))
          || InstallerPackageFound.isInstaller(file))
      return Held(path: path, file: file, isPackage: isPackage)
    }

    /// Opens a file. The manifest of a content folder must not be a link: the file to which it leads may be outside.
    private static func open(_ path: String, inFolder: Bool) throws -> InputFile {
      guard inFolder else { return try InputFile.open(path) }
      do throws(FileError) {
        return try InputFile.openUnlinked(path)
      } catch {
        guard error.errno == .tooManySymbolicLinkLevels else { throw error }
        throw EditingError.unsound([.manifestLink])
      }
    }

    /// Opens and locks a file, and verifies that the locked file still has its name.
    private static func openLocked(_ path: String, inFolder: Bool) throws -> InputFile {
      for _ in 0..<maximumAttemptCount {
        let file = try open(path, inFolder: inFolder)
        guard try file.lock() else { throw InputBusy(path: path) }
        let present = try FileSystem.status(of: path, followingLinks: true)
        if present?.identity == file.identity { return file }
      }
      throw InputBusy(path: path)
    }

    /// Returns whether the edited file has exactly these bytes.
    package func hasBytes(_ bytes: [UInt8]) throws(SourceError) -> Bool {
      guard file.byteCount == Int64(bytes.count) else { return false }
      return try file.bytes(at: 0, count: bytes.count) == bytes
    }

    /// Reviews the package or content folder of the input for a comparison.
    package func review(
      _ choices: FolderChoices = FolderChoices(), cancellation: Cancellation
    ) throws -> ContentReview {
      guard let package else {
        return try ContentReview(opening: path, choices, for: .compare, cancellation: cancellation)
      }
      return try ContentReview(of: package, for: .compare, limits: Limits(), cancellation: cancellation)
    }
  }
}
#endif

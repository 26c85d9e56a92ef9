#if COMMAND_LINE_TOOL
package import SafeFiles
package import Support
import SystemPackage
import ZipArchive

extension PackageEditor {
  /// The open input of an edit: a package, or a manifest alone or in a content folder.
  package struct Input: Sendable {
    /// The path as given, which is not safe to print.
    package let path: String
    /// The file that is edited.
    let file: InputFile
    /// The package; nil for a manifest.
    let package: PackageSource?
    /// Whether the input is a package instead of a manifest.
    package var isPackage: Bool { package != nil }

    /// The maximum number of attempts to open a file that other processes keep replacing.
    private static let maximumAttemptCount = 100

    /// Opens the input at `path` as `openFile` does, and reads its structure.
    ///
    /// - Throws: The same errors as `openFile` and `OpenedFile.input`.
    package static func open(_ path: String, locking: Bool) throws -> Input {
      try openFile(path, locking: locking).input()
    }

    /// An open input of which only the first bytes have been read.
    package struct OpenedFile: Sendable {
      fileprivate let path: String
      fileprivate let file: InputFile
      /// Whether the input is a package instead of a manifest.
      package let isPackage: Bool

      /// Reads the structure of a package, which takes memory for its names.
      ///
      /// - Throws: `SourceError` if the package cannot be read.
      package func input() throws -> Input {
        Input(path: path, file: file, package: isPackage ? try PackageSource.open(file) : nil)
      }
    }

    /// Opens the input at `path`. A file is a package if its name ends in `.pkg`, or if its first bytes are those of a
    /// ZIP or xar archive.
    ///
    /// - Parameters:
    ///   - path: A package, a content folder or a manifest.
    ///   - locking: Whether to lock the file, as required if the result replaces it. Only one process can hold the lock.
    /// - Returns: The open input.
    /// - Throws: `FileError` if the file does not exist, `SourceError` if it cannot be read, `InputBusy` if another
    ///   process holds the lock, `EditingError.unsound` if the manifest of a content folder is a link.
    package static func openFile(_ path: String, locking: Bool) throws -> OpenedFile {
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
      return OpenedFile(path: path, file: file, isPackage: isPackage)
    }

    /// Opens a file. The manifest of a content folder must not be a link, because its target may be outside the folder.
    private static func open(_ path: String, inFolder: Bool) throws -> InputFile {
      guard inFolder else { return try InputFile.open(path) }
      do throws(FileError) {
        return try InputFile.openUnlinked(path)
      } catch {
        guard error.errno == .tooManySymbolicLinkLevels else { throw error }
        throw EditingError.unsound([.manifestLink])
      }
    }

    /// Opens and locks a file, and verifies that `path` still leads to the locked file.
    private static func openLocked(_ path: String, inFolder: Bool) throws -> InputFile {
      for _ in 0..<maximumAttemptCount {
        let file = try open(path, inFolder: inFolder)
        guard try file.lock() else { throw InputBusy(path: path) }
        let present = try FileSystem.status(of: path, followingLinks: true)
        if present?.identity == file.identity { return file }
      }
      throw InputBusy(path: path)
    }

    /// Returns whether the open file has exactly these bytes.
    package func hasBytes(_ bytes: [UInt8]) throws(SourceError) -> Bool {
      guard file.byteCount == Int64(bytes.count) else { return false }
      return try file.bytes(at: 0, count: bytes.count) == bytes
    }

    /// Reviews the package or content folder of the input for a comparison.
    ///
    /// - Throws: `FileError` or `SourceError` if the input cannot be read, `AllContentExcluded` if `choices` exclude all
    ///   content of a folder, `Interruption`.
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

import Delivery
import NIOPosix
import SafeFiles
import SystemPackage

/// The folder of a store, from which objects are served. Only valid store paths are opened, and symbolic links inside
/// the folder are never followed.
struct ContentFolder: Sendable {
  /// The path that the user specified. Symbolic links in it are followed.
  let path: String

  /// Opens an object on a thread that may block.
  ///
  /// - Returns: The file of the object; nil if it does not exist.
  /// - Throws: `FileError` if the object cannot be opened, `CancellationError` if the server is stopping.
  func open(_ object: StorePath) async throws -> InputFile? {
    try await NIOThreadPool.singleton.runIfActive { try openNow(object) }
  }

  /// Whether the folder exists and has a catalog. A mount point without its disk has no catalog.
  var isAvailable: Bool {
    get async { (try? await open(.catalog)) != nil }
  }

  private func openNow(_ object: StorePath) throws(FileError) -> InputFile? {
    let parts = object.text.split(separator: "/")
    do throws(FileError) {
      var folder = try DirectoryHandle.open(path)
      for part in parts.dropLast() { folder = try folder.openFolder(part.utf8) }
      return try folder.openFile((parts.last ?? "").utf8)
    } catch {
      guard Self.isAbsence(error) else { throw error }
      return nil
    }
  }

  /// Returns whether the error means that the path does not name a regular file, or contains a symbolic link.
  private static func isAbsence(_ error: FileError) -> Bool {
    [.noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels, .notSupported]
      .contains(error.errno)
  }
}

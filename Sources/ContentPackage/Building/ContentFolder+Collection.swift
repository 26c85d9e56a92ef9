import SafeFiles
import ZipArchive

extension ContentFolder {
  /// The content folders that lie in a folder, sorted by the bytes of their names: what has a manifest is one.
  ///
  /// - Returns: nil for what is a content folder itself, if only a part of one, for a folder that holds none, and for
  ///   what cannot be looked into, of which whoever opens it says why.
  package static func folders(heldBy path: String, includingPackages: Bool = false) -> [String]? {
    do throws(FileError) {
      guard try FileSystem.kind(of: path) == .folder else { return nil }
      let folder = try DirectoryHandle.open(path)
      for part in [PackageLayout.manifest, PackageLayout.contents]
      where try folder.status(of: part.bytes) != nil { return nil }
      var found: [String] = []
      for name in try folder.list() {
        let isPackage = includingPackages ? try isPackage(name, in: folder) : false
        guard try isPackage ? true : isContentFolder(name, in: folder) else { continue }
        found.append(FileSystem.joined(path, String(decoding: name, as: UTF8.self)))
      }
      return found.isEmpty ? nil : found
    } catch {
      return nil
    }
  }

  /// Whether a file is called a package. Links are not followed.
  private static func isPackage(
    _ name: [UInt8], in folder: borrowing DirectoryHandle
  ) throws(FileError) -> Bool {
    guard EntryPath(bytes: name).hasSuffix(PackageLayout.fileExtension) else { return false }
    return try folder.status(of: name)?.kind == .file
  }

  /// Whether a folder has the manifest or `Contents`; true for what cannot be looked into.
  package static func isPart(_ path: String) -> Bool {
    do throws(FileError) {
      let folder = try DirectoryHandle.open(path)
      for part in [PackageLayout.manifest, PackageLayout.contents]
      where try folder.status(of: part.bytes) != nil { return true }
      return false
    } catch {
      return true
    }
  }

  /// Links are not followed.
  private static func isContentFolder(
    _ name: [UInt8], in folder: borrowing DirectoryHandle
  ) throws(FileError) -> Bool {
    guard try folder.status(of: name)?.kind == .folder else { return false }
    do throws(FileError) {
      return try folder.openFolder(name).status(of: PackageLayout.manifest.bytes) != nil
    } catch {
      return true  // nobody knows, and whoever opens it says why
    }
  }
}

extension ContentFolder {
  /// The identity of a content folder, of which nothing but the manifest is read; nil if the manifest is not good.
  ///
  /// - Throws: `FileError`, `SourceError` if it cannot be read.
  package static func info(of path: String) throws -> ContentInfo? {
    let file = try DirectoryHandle.open(path).openFile(PackageLayout.manifest.bytes)
    guard ManifestReview.sizeFinding(file.byteCount) == nil else { return nil }
    return ManifestReview(of: try file.bytes(at: 0, count: Int(file.byteCount))).contentInfo
  }
}

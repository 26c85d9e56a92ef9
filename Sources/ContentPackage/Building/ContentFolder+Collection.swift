#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import ZipArchive

extension ContentFolder {
  /// Returns the content folders in a folder, and optionally the packages, sorted by the bytes of their names. A content
  /// folder is a folder with a manifest.
  ///
  /// - Returns: The paths; nil for a content folder or a part of one, for a folder without content folders, and for an
  ///   unreadable path, whose error is reported when the path is opened.
  package static func folders(in path: String, includingPackages: Bool = false) -> [String]? {
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

  /// Returns whether a file has a package name. Links are not followed.
  private static func isPackage(
    _ name: [UInt8], in folder: borrowing DirectoryHandle
  ) throws(FileError) -> Bool {
    guard EntryPath(bytes: name).hasSuffix(PackageLayout.fileExtension) else { return false }
    return try folder.status(of: name)?.kind == .file
  }

  /// Returns whether a folder has the manifest or `Contents`; true for an unreadable folder.
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

  /// Returns whether an item is a content folder. Links are not followed.
  private static func isContentFolder(
    _ name: [UInt8], in folder: borrowing DirectoryHandle
  ) throws(FileError) -> Bool {
    // Names with a leading period belong to tools, such as another user's cache.
    guard name.first != UInt8(ascii: "."), let status = try folder.status(of: name), status.kind == .folder
    else { return false }
    do throws(FileError) {
      return try folder.openFolder(name).status(of: PackageLayout.manifest.bytes) != nil
    } catch {
      // An unreadable folder is an error if the user owns it, and is skipped otherwise.
      return FileSystem.isOwned(folder.childPath(name), byOneOf: [FileSystem.effectiveUser])
    }
  }
}

extension ContentFolder {
  /// An item that looks like a content folder or package but is not read.
  package struct Lookalike: Sendable {
    /// The path, which is not safe to print.
    package let path: String
    /// Whether the item is a symbolic link.
    package let isLink: Bool
    /// The reason for skipping the item: a clause that follows the path, without a full stop.
    package let reason: String
  }

  /// Returns the items of a folder that look like content folders, and optionally packages, but are not read; none for
  /// a content folder and for an unreadable folder.
  package static func lookalikes(in path: String, includingPackages: Bool = false) -> [Lookalike] {
    guard (try? FileSystem.kind(of: path)) == .folder, let folder = try? DirectoryHandle.open(path),
      [PackageLayout.manifest, PackageLayout.contents].allSatisfy({
        (try? folder.status(of: $0.bytes)) == .some(nil)
      })
    else { return [] }
    let names = (try? folder.list()) ?? []
    return names.filter { $0.first != UInt8(ascii: ".") }.compactMap { name in
      let inner = FileSystem.joined(path, String(decoding: name, as: UTF8.self))
      guard let status = try? folder.status(of: name) else { return nil }
      let isLink = status.kind == .link
      let reason =
        isLink
        ? reasonForLink(inner, includingPackages: includingPackages)
        : status.kind == .folder ? reason(name, in: folder, inner) : nil
      return reason.map { Lookalike(path: inner, isLink: isLink, reason: $0) }
    }
  }

  private static func reasonForLink(_ path: String, includingPackages: Bool) -> String? {
    func isFile(_ path: String) -> Bool { (try? FileSystem.kind(of: path)) == .file }
    let isPackage =
      includingPackages && EntryPath(path).hasSuffix(PackageLayout.fileExtension) && isFile(path)
    guard isPackage || isFile(FileSystem.joined(path, PackageLayout.manifest.escaped)) else { return nil }
    return "is a symbolic link to a \(isPackage ? "package" : "content folder"), and links are not followed; "
      + "give its own path"
  }

  private static func reason(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, _ path: String
  ) -> String? {
    let manifest = PackageLayout.manifest.escaped
    do throws(FileError) {
      let names = try folder.openFolder(name).list()
      if names.contains(PackageLayout.manifest.bytes) { return nil }
      if let near = names.first(where: {
        String(decoding: $0, as: UTF8.self).lowercased() == manifest.lowercased()
      }) {
        return "is not read: it has \(String(displaying: near)), expected \(manifest)"
      }
      if names.contains(PackageLayout.contents.bytes) {
        return "is not read: it has \(PackageLayout.contents.escaped) and no \(manifest)"
      }
      return containsContentFolder(names, in: path)
        ? "contains content folders, which are not read; give its own path" : nil
    } catch {
      return FileSystem.isOwned(path, byOneOf: [FileSystem.effectiveUser])
        ? nil : "is not read: it belongs to another user and cannot be opened"
    }
  }
}

extension ContentFolder {
  /// The maximum number of items that are examined in a folder.
  private static let maximumExaminedCount = 1_000

  /// Returns whether one of the first items of a folder is a content folder that this user can open.
  private static func containsContentFolder(_ names: [[UInt8]], in path: String) -> Bool {
    guard let folder = try? DirectoryHandle.open(path) else { return false }
    return names.prefix(maximumExaminedCount).contains { name in
      name.first != UInt8(ascii: ".")
        && (try? folder.openFolder(name).status(of: PackageLayout.manifest.bytes)) != nil
    }
  }
}

extension ContentFolder {
  /// Returns the identity of a content folder, reading only the manifest; nil if the manifest is invalid.
  ///
  /// - Throws: `FileError` or `SourceError` if the manifest cannot be read.
  package static func info(of path: String) throws -> ContentInfo? {
    let file = try DirectoryHandle.open(path).openFile(PackageLayout.manifest.bytes)
    guard ManifestReview.sizeFinding(file.byteCount) == nil else { return nil }
    return ManifestReview(of: try file.bytes(at: 0, count: Int(file.byteCount))).contentInfo
  }
}
#endif

package import ZipArchive

/// The names that are part of every package.
package enum PackageLayout {
  package static let manifest = EntryPath("ContentInfo.plist")
  package static let contents = EntryPath("Contents")
  /// Stores add this folder. It is tolerated when reading, never installed and never written.
  package static let metaInf = EntryPath("META-INF")
  package static let fileExtension = ".pkg"
  /// iapkg's cache beside content folders. It is never packed.
  package static let cache = EntryPath(".iapkg-cache")
  /// The team's settings, in content folders and above them. They are never packed.
  package static let settings = EntryPath(".iapkg.yml")
  package static let ignoredNames = EntryPath(".iapkgignore")

  /// The beginning of the temporary name of a manifest, as an active or killed process leaves it.
  private static let unfinishedManifest = Array(".\(manifest.escaped).iapkg-".utf8)

  /// Returns whether a name is reserved for iapkg.
  static func isOwnName(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".")
      && (name.starts(with: unfinishedManifest)
        || [cache, settings, ignoredNames].contains { $0.bytes.elementsEqual(name) })
  }
}

extension EntryPath {
  /// Whether the path is that of content, or of a folder that leads to it.
  package var isContent: Bool {
    let contents = PackageLayout.contents
    guard starts(with: contents) else { return false }
    return count == contents.count || self[contents.count] == UInt8(ascii: "/")
  }

  /// The first part.
  package var first: EntryPath {
    EntryPath(bytes: bytes.prefix { $0 != UInt8(ascii: "/") })
  }

  /// The path without its first part, or nil if it has only one.
  package var withoutFirst: EntryPath? {
    let bytes = part(0..<count)
    return bytes.firstIndex(of: UInt8(ascii: "/")).map { suffix(from: $0 + 1 - bytes.startIndex) }
  }

  package func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }
}

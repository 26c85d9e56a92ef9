package import ZipArchive

/// The names that are part of every package.
package enum PackageLayout {
  /// The property list with the product and the version.
  package static let manifest = EntryPath("ContentInfo.plist")
  /// The folder with the content.
  package static let contents = EntryPath("Contents")
  /// The folder that stores add. iapkg accepts this folder in a package, but never installs or writes it.
  package static let metaInf = EntryPath("META-INF")
  /// The ending of the file name of a package, with its period.
  package static let fileExtension = ".pkg"
  /// iapkg's cache beside content folders, which is never packed.
  package static let cache = EntryPath(".iapkg-cache")
  /// The settings file, in content folders and above them, which is never packed.
  package static let settings = EntryPath(".iapkg.yml")
  /// The file with patterns of excluded items, in content folders and above them, which is never packed.
  package static let ignoredNames = EntryPath(".iapkgignore")

  /// The prefix of a manifest's temporary name, which exists while a process writes it or after that process was killed.
  private static let unfinishedManifest = Array(".\(manifest.escaped).iapkg-".utf8)

  /// Returns whether a name is reserved for iapkg.
  static func isOwnName(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".")
      && (name.starts(with: unfinishedManifest)
        || [cache, settings, ignoredNames].contains { $0.bytes.elementsEqual(name) })
  }
}

extension EntryPath {
  /// Whether the path is `Contents` or below it.
  package var isContent: Bool {
    let contents = PackageLayout.contents
    guard starts(with: contents) else { return false }
    return count == contents.count || self[contents.count] == UInt8(ascii: "/")
  }

  /// The first part.
  package var first: EntryPath {
    EntryPath(bytes: bytes.prefix { $0 != UInt8(ascii: "/") })
  }

  /// The path without its first part, or nil if the path has only one part.
  package var withoutFirst: EntryPath? {
    let bytes = part(0..<count)
    return bytes.firstIndex(of: UInt8(ascii: "/")).map { suffix(from: $0 + 1 - bytes.startIndex) }
  }

  /// Returns whether the path ends with the UTF-8 bytes of `suffix`.
  package func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }
}

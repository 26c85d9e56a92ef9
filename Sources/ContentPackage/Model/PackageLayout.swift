package import ZipArchive

/// The names that are part of every package.
package enum PackageLayout {
  package static let manifest = EntryPath("ContentInfo.plist")
  package static let contents = EntryPath("Contents")
  /// Stores add this folder. It is tolerated when reading, never installed and never written.
  package static let metaInf = EntryPath("META-INF")
  package static let fileExtension = ".pkg"
}

extension EntryPath {
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

#if COMMAND_LINE_TOOL
package import Support

/// The paths of self-hosted asset packs in a store: each platform has a folder with the download manifest and the archives.
package struct AssetPackLayout: Sendable {
  /// The folder of the platform: its name in lower case.
  package let folder: String

  /// Creates the layout of the folder of a platform.
  package init(folder: String) { self.folder = folder }

  /// The path of the download manifest.
  package var manifest: StorePath { StorePath(.downloadManifest, "\(folder)/manifest.json") }
  /// The common prefix of the paths of all archives.
  package var prefix: String { "\(folder)/packs/" }

  /// Returns the path of an archive. The bytes at the path never change.
  package func archive(_ identifier: String, _ version: Int64, _ digest: SHA256Digest) -> StorePath {
    let digits = digest.hexadecimal.prefix(StorePath.releaseDigitCount)
    return StorePath(.assetPack, "\(prefix)\(identifier)/\(version)-\(digits).aar")
  }

  /// An archive, as its path describes it.
  package struct Archive: Sendable, Hashable {
    package let identifier: String
    package let version: Int64
    /// The first 16 hexadecimal digits of the archive's SHA-256 digest.
    package let digits: String
    package let path: StorePath
  }

  /// Parses the path of an archive; nil for another path.
  package func archive(at text: String) -> Archive? {
    guard text.hasPrefix(prefix), text.hasSuffix(Self.ending) else { return nil }
    let parts = text.dropFirst(prefix.count).dropLast(Self.ending.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isIdentifier(parts[0]) else { return nil }
    let name = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard name.count == 2, let version = Int64(name[0]), version >= 0, String(version) == name[0],
      name[1].utf8.count == StorePath.releaseDigitCount, name[1].utf8.allSatisfy({ Self.digits.contains($0) })
    else { return nil }
    return Archive(
      identifier: String(parts[0]), version: version, digits: String(name[1]),
      path: StorePath(.assetPack, text))
  }

  /// Returns whether a text is valid as an identifier in paths and addresses: 1 to 100 ASCII letters, digits, `.`, `_`
  /// and `-`, not starting with `.` or `-`.
  package static func isIdentifier(_ text: some StringProtocol) -> Bool {
    let isAllowed = { (byte: UInt8) in
      digits.contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }
    return (1...maximumIdentifierLength).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
      && !text.hasPrefix(".") && !text.hasPrefix("-")
  }

  private static let maximumIdentifierLength = 100
  private static let ending = ".aar"
  private static let digits = Set("0123456789abcdef".utf8)
}
#endif

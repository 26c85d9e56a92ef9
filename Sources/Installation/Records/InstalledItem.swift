package import ZipArchive

/// A file, folder or link of an installed version.
package struct InstalledItem: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case file(size: Int64, ContentDigest)
    case folder
    /// The target's bytes.
    case link(target: [UInt8])
  }

  /// Relative to the folder of the version. Always UTF-8, because the package rules admit no other path.
  package let path: EntryPath
  package let kind: Kind

  package static let filePermissions: UInt16 = 0o644
  package static let folderPermissions: UInt16 = 0o755

  /// The permissions of every installed item of this kind; nil for a link.
  var permissions: UInt16? {
    switch kind {
    case .file: Self.filePermissions
    case .folder: Self.folderPermissions
    case .link: nil
    }
  }

  static func file(_ path: EntryPath, size: Int64, _ digest: ContentDigest) -> InstalledItem {
    InstalledItem(path: path, kind: .file(size: size, digest))
  }

  static func folder(_ path: EntryPath) -> InstalledItem { InstalledItem(path: path, kind: .folder) }

  static func link(_ path: EntryPath, target: [UInt8]) -> InstalledItem {
    InstalledItem(path: path, kind: .link(target: target))
  }

  /// Returns the item with its path prefixed by `folder`.
  func beneath(_ folder: EntryPath) -> InstalledItem {
    InstalledItem(path: folder.appending(path.bytes), kind: kind)
  }
}

/// In a record an item is an array, which takes half the time and space of an object: the path, the kind, then the size
/// and digest of a file or the target of a link.
extension InstalledItem: Codable {
  private enum KindName: String, Codable { case file, folder, link }

  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    path = EntryPath(try values.decode(String.self))
    switch try values.decode(KindName.self) {
    case .file:
      let size = try values.decode(Int64.self)
      guard let digest = ContentDigest(hexadecimal: try values.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: values, debugDescription: "this is not a digest")
      }
      kind = .file(size: size, digest)
    case .folder: kind = .folder
    case .link: kind = .link(target: Array(try values.decode(String.self).utf8))
    }
    guard values.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "an item ends here")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(String(decoding: path.bytes, as: UTF8.self))
    switch kind {
    case .file(let size, let digest):
      try values.encode(KindName.file.rawValue)
      try values.encode(size)
      try values.encode(digest.hexadecimal)
    case .folder: try values.encode(KindName.folder.rawValue)
    case .link(let target):
      try values.encode(KindName.link.rawValue)
      try values.encode(String(decoding: target, as: UTF8.self))
    }
  }
}

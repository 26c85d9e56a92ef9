package import Digests
package import ZipArchive

/// One file, folder or link that was installed.
package struct InstalledItem: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case file(size: Int64, ContentDigest)
    case folder
    /// The target's bytes.
    case link(target: [UInt8])
  }

  /// Relative to the product's folder. The rules let no path through that is not UTF-8.
  package let place: EntryPath
  package let kind: Kind
  /// Of a file or folder.
  package let permissions: UInt16?

  static let filePermissions: UInt16 = 0o644
  static let folderPermissions: UInt16 = 0o755

  static func file(_ place: EntryPath, size: Int64, _ digest: ContentDigest) -> InstalledItem {
    InstalledItem(place: place, kind: .file(size: size, digest), permissions: filePermissions)
  }

  static func folder(_ place: EntryPath) -> InstalledItem {
    InstalledItem(place: place, kind: .folder, permissions: folderPermissions)
  }

  static func link(_ place: EntryPath, target: [UInt8]) -> InstalledItem {
    InstalledItem(place: place, kind: .link(target: target), permissions: nil)
  }

  /// Bytes of a file; nil for anything else.
  var size: Int64? { if case .file(let size, _) = kind { size } else { nil } }
}

/// In a record: `path`, `kind`, and of a file `size`, `mode` and `blockSHA256`, of a folder `mode`, of a link `target`.
extension InstalledItem: Codable {
  private enum Key: String, CodingKey { case path, kind, size, mode, blockSHA256, target }
  private enum KindName: String, Codable { case file, folder, link }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    place = EntryPath(try values.decode(String.self, forKey: .path))
    switch try values.decode(KindName.self, forKey: .kind) {
    case .file:
      let digest = ContentDigest(hexadecimal: try values.decode(String.self, forKey: .blockSHA256))
      guard let digest else {
        throw DecodingError.dataCorrupted(.init(codingPath: [Key.blockSHA256], debugDescription: ""))
      }
      kind = .file(size: try values.decode(Int64.self, forKey: .size), digest)
    case .folder: kind = .folder
    case .link: kind = .link(target: Array(try values.decode(String.self, forKey: .target).utf8))
    }
    permissions = try values.decodeIfPresent(String.self, forKey: .mode).flatMap { UInt16($0, radix: 8) }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(String(decoding: place.bytes, as: UTF8.self), forKey: .path)
    switch kind {
    case .file(let size, let digest):
      try values.encode(KindName.file, forKey: .kind)
      try values.encode(size, forKey: .size)
      try values.encode(digest.hexadecimal, forKey: .blockSHA256)
    case .folder: try values.encode(KindName.folder, forKey: .kind)
    case .link(let target):
      try values.encode(KindName.link, forKey: .kind)
      try values.encode(String(decoding: target, as: UTF8.self), forKey: .target)
    }
    try values.encodeIfPresent(permissions.map { "0" + String($0, radix: 8) }, forKey: .mode)
  }
}

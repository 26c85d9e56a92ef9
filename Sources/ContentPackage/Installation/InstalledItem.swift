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
}

/// In a record an array, which takes half of an object's time and room: the path and the kind, then of a file the
/// permissions, the size and the digest, of a folder the permissions, of a link the target.
extension InstalledItem: Codable {
  /// Encoded as its text, since a generic value takes as long as all else.
  private enum KindName: String, Decodable { case file, folder, link }

  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    func isWrong(_ what: String) -> DecodingError {
      DecodingError.dataCorruptedError(in: values, debugDescription: "this is no \(what)")
    }
    func nextPermissions() throws -> UInt16 {
      guard let permissions = UInt16(try values.decode(String.self), radix: 8) else { throw isWrong("mode") }
      return permissions
    }
    place = EntryPath(try values.decode(String.self))
    switch try values.decode(KindName.self) {
    case .file:
      permissions = try nextPermissions()
      let size = try values.decode(Int64.self)
      guard let digest = ContentDigest(hexadecimal: try values.decode(String.self)) else {
        throw isWrong("digest")
      }
      kind = .file(size: size, digest)
    case .folder:
      permissions = try nextPermissions()
      kind = .folder
    case .link:
      permissions = nil
      kind = .link(target: Array(try values.decode(String.self).utf8))
    }
    guard values.isAtEnd else { throw isWrong("end of an item") }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(String(decoding: place.bytes, as: UTF8.self))
    switch kind {
    case .file(let size, let digest):
      try values.encode(KindName.file.rawValue)
      try values.encode(mode)
      try values.encode(size)
      try values.encode(digest.hexadecimal)
    case .folder:
      try values.encode(KindName.folder.rawValue)
      try values.encode(mode)
    case .link(let target):
      try values.encode(KindName.link.rawValue)
      try values.encode(String(decoding: target, as: UTF8.self))
    }
  }

  private var mode: String { "0" + String(permissions ?? 0, radix: 8) }
}

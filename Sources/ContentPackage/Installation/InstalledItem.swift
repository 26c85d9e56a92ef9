package import ZipArchive

/// One file, folder or link that was installed.
package struct InstalledItem: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable { case file, folder, link }

  /// Relative to the product's folder. The rules let no path through that is not UTF-8.
  private let path: String
  package let kind: Kind
  /// Bytes of a file.
  package let size: Int64?
  /// The permissions of a file or folder, in octal digits.
  private let mode: String?
  /// Of a file: SHA-256 in hexadecimal digits.
  package let sha256: String?
  /// Of a link: where it leads to.
  package let target: String?

  static let filePermissions: UInt16 = 0o644
  static let folderPermissions: UInt16 = 0o755

  static func file(_ place: EntryPath, size: Int64, sha256: String) -> InstalledItem {
    InstalledItem(place, .file, size: size, permissions: filePermissions, sha256: sha256)
  }

  static func folder(_ place: EntryPath) -> InstalledItem {
    InstalledItem(place, .folder, permissions: folderPermissions)
  }

  static func link(_ place: EntryPath, target: [UInt8]) -> InstalledItem {
    InstalledItem(place, .link, target: String(decoding: target, as: UTF8.self))
  }

  private init(
    _ place: EntryPath, _ kind: Kind, size: Int64? = nil, permissions: UInt16? = nil, sha256: String? = nil,
    target: String? = nil
  ) {
    path = String(decoding: place.bytes, as: UTF8.self)
    self.kind = kind
    self.size = size
    mode = permissions.map { "0" + String($0, radix: 8) }
    self.sha256 = sha256
    self.target = target
  }

  package var place: EntryPath { EntryPath(path) }
  package var permissions: UInt16? { mode.flatMap { UInt16($0, radix: 8) } }
}

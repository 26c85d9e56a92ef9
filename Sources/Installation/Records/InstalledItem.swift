import StrictJSON
package import ZipArchive

/// A file, folder or link of an installed version.
package struct InstalledItem: Equatable, Sendable {
  /// The kind of an item, with the data that a record has for this kind.
  package enum Kind: Equatable, Sendable {
    case file(size: Int64, ContentDigest)
    case folder
    /// The target's bytes.
    case link(target: [UInt8])
  }

  /// The path relative to the folder of the version. Always UTF-8, because the package rules admit no other path.
  package let path: EntryPath
  /// The kind of the item.
  package let kind: Kind

  /// The permissions of every installed file.
  package static let filePermissions: UInt16 = 0o644
  /// The permissions of every installed folder.
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
/// and digest of a file or the target of a link. A record has a line for each item, and encoding a line with
/// `JSONEncoder` would take ten times as long as installing the file.
extension InstalledItem {
  private enum KindName: String { case file, folder, link }

  /// Parses the line of an item.
  init(line: ArraySlice<UInt8>) throws(DocumentError) {
    var count = 0
    var path: EntryPath?
    var (name, size, digest): (KindName?, Int64?, ContentDigest?)
    var target: [UInt8]?
    var reader = JSONReader(Array(line))
    try reader.document { (reader) throws(DocumentError) in
      try reader.array { (reader) throws(DocumentError) in
        switch (count, name) {
        case (0, _): path = EntryPath(try reader.string())
        case (1, _): name = KindName(rawValue: try reader.string())
        case (2, .file): size = try reader.integer(in: 0...Int64.max)
        case (3, .file): digest = ContentDigest(hexadecimal: try reader.string())
        case (2, .link): target = Array(try reader.string().utf8)
        default: throw reader.error("expected the end of the item")
        }
        count += 1
      }
    }
    switch (path, name, size, digest, target) {
    case (let path?, .file, let size?, let digest?, _): self = .file(path, size: size, digest)
    case (let path?, .folder, _, _, _): self = .folder(path)
    case (let path?, .link, _, _, let target?): self = .link(path, target: target)
    default: throw DocumentError("it is not an item")
    }
  }

  /// The line of the item.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.array {
      $0.string(String(decoding: path.bytes, as: UTF8.self))
      switch kind {
      case .file(let size, let digest):
        $0.string(KindName.file.rawValue)
        $0.integer(size)
        $0.string(digest.hexadecimal)
      case .folder: $0.string(KindName.folder.rawValue)
      case .link(let target):
        $0.string(KindName.link.rawValue)
        $0.string(String(decoding: target, as: UTF8.self))
      }
    }
    return writer.line()
  }
}

public import SafeFiles
import ZipArchive

/// The content of a folder: one that holds a manifest and `Contents`, or any folder as the `Contents` of a
/// package whose manifest is given.
public struct FolderSource: ContentSource {
  private let tree: FileTree
  /// How many bytes of an item's path stand before its path in the tree.
  private let prefixLength: Int
  /// A manifest that is not in the folder.
  private let manifest: [UInt8]?
  /// When each thing in the tree was last written; an item's index is its place here.
  private let times: [FileStatus.Time]
  package let items: [ContentItem]

  /// The folder, as it was given.
  package var path: String { tree.path }
  package var kind: ContentKind { .folder }
  package var archiveBytes: Int64? { nil }
  package var findings: [Finding] { [] }
  package var isReadable: Bool { true }
  package var isComplete: Bool { true }

  /// The index of the item whose bytes are `manifest`.
  private static let manifestIndex = -1

  /// A content folder: `ContentInfo.plist` and `Contents` lie in it.
  ///
  /// - Parameter path: the folder.
  /// - Returns: what is in it now.
  /// - Throws: `FileFailure` if it cannot be read.
  public static func open(_ path: String) throws(FileFailure) -> FolderSource {
    try FolderSource(path, manifest: nil, beneath: nil, with: [])
  }

  /// Any folder as the content of a package, with a manifest that is made for it.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - info: what the manifest says.
  /// - Returns: what is in it now, with the manifest.
  /// - Throws: `FileFailure` if it cannot be read.
  public static func open(contents path: String, _ info: ContentInfo) throws(FileFailure) -> FolderSource {
    let manifest = info.manifest
    let added = [
      ContentItem(
        path: PackageLayout.manifest, kind: .file, size: Int64(manifest.count), permissions: nil,
        index: manifestIndex),
      ContentItem(
        path: PackageLayout.contents, kind: .folder, size: 0, permissions: nil, index: manifestIndex),
    ]
    return try FolderSource(path, manifest: manifest, beneath: PackageLayout.contents, with: added)
  }

  private init(
    _ path: String, manifest: [UInt8]?, beneath folder: EntryPath?, with added: [ContentItem]
  ) throws(FileFailure) {
    tree = try FileTree.open(path)
    let found = try tree.items { !NameRecognizer.isJunk(EntryPath(bytes: $0.relativePath)) }
    prefixLength = folder.map { $0.bytes.count + 1 } ?? 0
    self.manifest = manifest
    times = found.map(\.status.modificationTime)
    let items = found.enumerated().map { ContentItem($0.element, at: $0.offset, beneath: folder) }
    self.items = folder == nil ? items : (added + items).sorted { $0.path < $1.path }
  }

  package func makeReader() -> any ContentReader { FolderReader(self) }

  fileprivate func data(of item: ContentItem) throws -> EntryData {
    if item.index == Self.manifestIndex { return .memory((manifest ?? [])[...]) }
    let file = try tree.openFile(Array(item.path.bytes.dropFirst(prefixLength)))
    guard file.byteCount == item.size, file.modificationTime == times[item.index] else {
      throw SourceChanged(path: file.path)
    }
    return .file(file, 0..<file.byteCount)
  }
}

/// A file of the source is not as it was a moment ago.
public struct SourceChanged: Error {
  /// The file, which is not safe to print.
  public let path: String
}

/// Reads files of one folder; belongs to one thread.
private final class FolderReader: ContentReader {
  private let source: FolderSource

  init(_ source: FolderSource) { self.source = source }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    guard try source.data(of: item).forEachBlock(body) else { throw SourceChanged(path: item.path.escaped) }
  }

  func data(of item: ContentItem) throws -> EntryData? { try source.data(of: item) }
}

extension ContentItem {
  fileprivate init(_ item: FileTree.Item, at index: Int, beneath folder: EntryPath?) {
    let kind: Kind
    switch item.status.kind {
    case .file: kind = .file
    case .folder: kind = .folder
    case .link: kind = .link(target: item.linkTarget)
    case .special(let name): kind = .special(name)
    }
    self.init(
      path: folder?.appending(item.relativePath) ?? EntryPath(bytes: item.relativePath), kind: kind,
      size: kind == .file ? item.status.size : Int64(item.linkTarget?.count ?? 0),
      permissions: item.status.permissions, index: index)
  }
}

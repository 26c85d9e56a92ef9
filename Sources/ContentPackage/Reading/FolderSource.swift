package import SafeFiles
public import Support
import SystemPackage
import ZipArchive

/// The content of a folder: a content folder with a manifest and `Contents`, or any folder as the `Contents`
/// of a package whose manifest is given.
public struct FolderSource: ContentSource {
  private let tree: FileTree
  /// The number of bytes of an item's path that precede its path in the tree.
  private let prefixLength: Int
  /// The bytes of a manifest that is not read from the folder; nil for none.
  package internal(set) var manifest: [UInt8]?
  /// The index of the item whose bytes are `manifest`.
  var manifestIndex = unlistedIndex
  /// The listed items of the tree. `ContentItem.index` is the index in this list.
  var listing: FolderItems
  package internal(set) var items: ContentItems

  /// The path of the folder, as given.
  package var path: String { tree.path }
  package var kind: ContentKind { .folder }
  package var archiveBytes: Int64? { nil }
  package var excluded: ExcludedItems { listing.excluded }
  package let findings: [Finding]
  package let ignores: @Sendable (Finding) -> Bool
  package var isReadable: Bool { findings.isEmpty }
  package var isComplete: Bool { findings.isEmpty }

  /// The index of items that are not in the folder.
  private static let unlistedIndex = -1

  /// Opens a content folder, which has `ContentInfo.plist` and `Contents`.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - cancellation: Ends the work early.
  /// - Returns: The current content of the folder.
  /// - Throws: `FileError` if the folder cannot be read, `InstallerPackageFound`, `Interruption`.
  public static func open(
    _ path: String, cancellation: Cancellation = Cancellation()
  ) throws -> FolderSource {
    try open(path, FolderChoices(), cancellation: cancellation)
  }

  /// Opens a content folder with the user's settings; see `open(_:cancellation:)`.
  ///
  /// - Throws: The same errors, and `AllContentExcluded` if the settings exclude all content.
  package static func open(
    _ path: String, _ choices: FolderChoices, cancellation: Cancellation
  ) throws -> FolderSource {
    try FolderSource(path, manifest: nil, beneath: nil, with: [], choices, cancellation)
  }

  /// Opens any folder as the content of a package, with a new manifest.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - info: The identity in the manifest.
  ///   - cancellation: Ends the work early.
  /// - Returns: The current content of the folder, with the manifest.
  /// - Throws: `FileError` if the folder cannot be read, `InstallerPackageFound`, `Interruption`.
  public static func open(
    contents path: String, _ info: ContentInfo, cancellation: Cancellation = Cancellation()
  ) throws -> FolderSource {
    try open(contents: path, info, FolderChoices(), cancellation: cancellation)
  }

  /// Opens any folder as the content of a package, with the user's settings; see `open(contents:_:cancellation:)`.
  ///
  /// - Throws: The same errors, and `AllContentExcluded` if the settings exclude all content.
  package static func open(
    contents path: String, _ info: ContentInfo, _ choices: FolderChoices, cancellation: Cancellation
  ) throws -> FolderSource {
    let manifest = info.manifest
    let added = [
      ContentItem(
        path: PackageLayout.manifest, kind: .file, size: Int64(manifest.count), permissions: nil,
        index: unlistedIndex),
      ContentItem(
        path: PackageLayout.contents, kind: .folder, size: 0, permissions: nil, index: unlistedIndex),
    ]
    return try FolderSource(
      path, manifest: manifest, beneath: PackageLayout.contents, with: added, choices, cancellation)
  }

  private init(
    _ path: String, manifest: [UInt8]?, beneath folder: EntryPath?, with added: [ContentItem],
    _ choices: FolderChoices, _ cancellation: Cancellation
  ) throws {
    do throws(FileError) { tree = try FileTree.open(path) } catch {
      guard error.errno == .notDirectory, InstallerPackageFound.isInstaller(path) else { throw error }
      throw InstallerPackageFound(path: path)
    }
    listing = try FolderItems(of: tree, named: folder?.bytes ?? [], choices, cancellation: cancellation)
    prefixLength = folder.map { $0.bytes.count + 1 } ?? 0
    self.manifest = manifest
    ignores = choices.ignores
    let all = ContentItems(added, listing, order: try listing.order(cancellation))
    findings = [ExcessRules.finding(for: all)].compactMap(\.self)
    self.items = findings.isEmpty ? all : ContentItems()
  }

  package func recordedChecksum(of item: ContentItem) -> UInt32? { nil }

  package func transferBytes(of item: ContentItem) -> Int64 { item.size }

  package func hasChanged() -> Bool { false }

  package func makeReader() -> any ContentReader { FolderReader(self) }

  package func withoutPaths() -> any ContentSource {
    var bare = self
    bare.listing = listing.withoutPaths()
    bare.items = items.withoutPaths()
    return bare
  }

  /// Returns the status of a file in the listing of the folder; nil for an item that is not on disk.
  package func status(of item: ContentItem) -> FileStatus? {
    item.index == manifestIndex || item.index == Self.unlistedIndex ? nil : listing.statuses[item.index]
  }

  fileprivate func data(of item: ContentItem) throws -> any ByteSource {
    if item.index == manifestIndex { return MemoryBytes(manifest ?? []) }
    let file: InputFile
    do throws(FileError) {
      file = try tree.openFile(Array(item.path.bytes.dropFirst(prefixLength)))
    } catch {
      // The file existed when the folder was listed.
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      throw SourceError.changed(error.path)
    }
    let listed = listing.statuses[item.index]
    guard !file.status.mayDiffer(from: listed) else { throw SourceError.changed(file.path) }
    return file
  }
}

/// Reads files of one folder; confined to one thread.
private final class FolderReader: ContentReader {
  private let source: FolderSource

  init(_ source: FolderSource) { self.source = source }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    let data = try source.data(of: item)
    guard try data.forEachBlock(body), try !data.hasChanged() else {
      throw SourceError.changed(data.name)
    }
  }

  func packed(_ item: ContentItem) throws -> CompressedData {
    CompressedData(method: .stored, data: try source.data(of: item))
  }

  func content(of item: ContentItem) throws -> any ContentStream { StoredStream(try source.data(of: item)) }
}

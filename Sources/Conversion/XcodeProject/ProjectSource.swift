import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The content that a target of an Xcode project copies, in the layout that Xcode creates.
struct ProjectSource: ContentSource {
  /// The location of an item's bytes.
  private enum DataLocation {
    case memory([UInt8])
    /// A file at a path, with its status at the time of listing.
    case file(String, FileStatus)
    /// A file in a folder that is copied recursively.
    case inTree(FileTree, [UInt8], FileStatus)
    /// An item without bytes: a folder, a link or a special file.
    case none
  }

  let path: String
  let items: ContentItems
  /// The paths in the package of files that Xcode would have compiled.
  let uncompiled: [String]
  let findings: [Finding]
  private let locations: [DataLocation]

  var kind: ContentKind { .folder }
  var archiveBytes: Int64? { nil }
  var isReadable: Bool { findings.isEmpty }
  var isComplete: Bool { findings.isEmpty }

  /// Lists the content of a target.
  ///
  /// - Throws: `ConversionError.damaged`, `FileError` for a missing file, `SourceError`, `Interruption`.
  init(_ project: XcodeProject, _ target: XcodeProject.Target, cancellation: Cancellation) throws {
    let manifest = try project.manifest(of: target)
    let resources = try project.resources(of: target)
    for resource in resources { try project.checkInside(resource.source) }
    try self.init(path: project.path, manifest: manifest, resources, cancellation: cancellation)
  }

  /// Lists a manifest and resources.
  ///
  /// - Parameters:
  ///   - path: The project, or another folder of resources.
  ///   - manifest: The bytes of the manifest.
  ///   - resources: The files and folders to copy.
  ///   - cancellation: Ends the listing early.
  /// - Throws: `FileError` for a missing file, `SourceError`, `Interruption`.
  init(
    path: String, manifest: [UInt8], _ resources: [ProjectResource], cancellation: Cancellation
  ) throws {
    self.path = path
    var list = Listing()
    list.add(PackageLayout.manifest, .file, size: Int64(manifest.count), .memory(manifest))
    list.addFolder(PackageLayout.contents)
    for resource in resources {
      try cancellation.check()
      try list.add(resource, cancellation)
    }
    let order = list.items.indices.sorted { list.items[$0].path < list.items[$1].path }
    let sorted = order.map { list.items[$0] }
    locations = list.locations
    let all = ContentItems(sorted)
    findings = [ExcessRules.finding(for: all)].compactMap(\.self)
    items = findings.isEmpty ? all : ContentItems()
    uncompiled = sorted.filter { Self.isCompiled($0.path) }.map(\.path.escaped)
  }

  /// The name suffixes of files that Xcode compiles when it copies them.
  private static let compiledEndings = [
    ".xcassets", ".storyboard", ".xib", ".strings", ".stringsdict", ".xcstrings", ".xcdatamodeld",
    ".xcdatamodel",
    ".metal", ".mlmodel", ".scnassets", ".sks", ".atlas", ".intentdefinition",
  ]

  static func isCompiled(_ path: EntryPath) -> Bool {
    compiledEndings.contains { path.hasSuffix($0) }
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? { nil }

  func transferBytes(of item: ContentItem) -> Int64 { item.size }

  func hasChanged() -> Bool { false }

  func makeReader() -> any ContentReader { Reader(self) }

  private func data(of item: ContentItem) throws -> any ByteSource {
    let (file, listed): (InputFile, FileStatus)
    switch locations[item.index] {
    case .memory(let bytes): return MemoryBytes(bytes)
    case .none: return MemoryBytes([])
    case .file(let path, let status): (file, listed) = (try InputFile.open(path), status)
    case .inTree(let tree, let path, let status): (file, listed) = (try tree.openFile(path), status)
    }
    guard !file.status.mayDiffer(from: listed) else { throw SourceError.changed(file.path) }
    return file
  }

  /// Collects the items.
  private struct Listing {
    private(set) var items: [ContentItem] = []
    private(set) var locations: [DataLocation] = []
    private var folders: Set<EntryPath> = []

    mutating func add(
      _ path: EntryPath, _ kind: ContentItem.Kind, size: Int64, permissions: UInt16? = nil,
      _ location: DataLocation
    ) {
      items.append(
        ContentItem(path: path, kind: kind, size: size, permissions: permissions, index: items.count))
      locations.append(location)
    }

    /// Adds a folder and its parents, unless they exist.
    mutating func addFolder(_ path: EntryPath) {
      guard folders.insert(path).inserted else { return }
      if let parent = path.parent { addFolder(parent) }
      add(path, .folder, size: 0, .none)
    }

    mutating func add(_ resource: ProjectResource, _ cancellation: Cancellation) throws {
      if let parent = resource.destination.parent { addFolder(parent) }
      guard try FileSystem.kind(of: resource.source) == .folder else {
        let file = try InputFile.open(resource.source)
        return add(
          resource.destination, .file, size: file.byteCount, permissions: file.status.permissions,
          .file(resource.source, file.status))
      }
      addFolder(resource.destination)
      let tree = try FileTree.open(resource.source)
      var count = items.count
      try tree.visit(named: resource.destination.bytes, cancellation: cancellation) { item in
        let name = item.relativePath.dropFirst(resource.destination.count + 1)
        guard !resource.excludedNames.contains(where: { $0.utf8.elementsEqual(name) }) else { return .pass }
        count += 1
        add(item, of: tree, rootLength: resource.destination.count)
        if count > Limits.maximumEntryCount { return .stop }
        return item.status.kind == .folder ? .enter : .pass
      }
      try cancellation.check()
    }

    private mutating func add(_ item: FileTree.Item, of tree: FileTree, rootLength: Int) {
      let path = EntryPath(bytes: item.relativePath)
      switch item.status.kind {
      case .folder: addFolder(path)
      case .link: add(path, .link(target: item.linkTarget), size: Int64(item.linkTarget?.count ?? 0), .none)
      case .special(let kind): add(path, .special(kind.rawValue), size: 0, .none)
      case .file:
        add(
          path, .file, size: item.status.size, permissions: item.status.permissions,
          .inTree(tree, Array(item.relativePath.dropFirst(rootLength + 1)), item.status))
      }
    }
  }

  /// Reads the files of one target; belongs to one thread.
  private final class Reader: ContentReader {
    private let source: ProjectSource

    init(_ source: ProjectSource) { self.source = source }

    func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
      let data = try source.data(of: item)
      guard try data.forEachBlock(body), try !data.hasChanged() else { throw SourceError.changed(data.name) }
    }

    func packed(_ item: ContentItem) throws -> CompressedData {
      CompressedData(method: .stored, data: try source.data(of: item))
    }

    func content(of item: ContentItem) throws -> any ContentStream { StoredStream(try source.data(of: item)) }
  }
}

import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Reads a payload: spools the data of its files and lists its items.
struct PayloadReading: ~Copyable {
  private var spool: SpoolFile
  private let context: WorkContext
  private(set) var list = PayloadList()
  /// The finding that ended the reading early; nil if the payload was read completely.
  private(set) var excess: Finding?
  private var contentBytes: Int64 = 0
  private var nameBytes = 0
  /// The hard-linked files with data, by device and inode.
  private var linkedFiles: Set<[UInt32]> = []
  /// The list indices of hard-linked names without data.
  private var emptyNames: [(index: Int, file: [UInt32])] = []

  init(_ spool: consuming SpoolFile, _ context: WorkContext) {
    self.spool = spool
    self.context = context
  }

  /// Reads all entries.
  ///
  /// - Throws: `PayloadTooLarge` if the entries exceed the limits of a package; `StreamError`, `FileError` if the data
  ///   cannot be written, `Interruption`.
  mutating func read(_ reader: inout CpioReader) throws {
    while let entry = try reader.next() {
      try context.cancellation.check()
      guard let path = Self.path(of: entry) else { continue }
      contentBytes += entry.size
      nameBytes += path.count
      excess = findExcess()
      guard excess == nil else { throw PayloadTooLarge() }
      try add(entry, path, from: &reader)
    }
    // In the newer formats, only the last name of a file has its data.
    for (index, file) in emptyNames where linkedFiles.contains(file) {
      list.setKind(.special("hard link without data"), of: index)
    }
  }

  /// Ends the reading.
  ///
  /// - Returns: The concatenated data of all files.
  consuming func finish() throws(FileError) -> InputFile { try spool.finish() }

  private mutating func add(_ entry: CpioEntry, _ path: EntryPath, from reader: inout CpioReader) throws {
    let kind = kind(of: entry)
    list.append(path, kind, size: kind == .folder ? 0 : entry.size, entry.mode, at: spool.byteCount)
    var target: [UInt8] = []
    do throws(CpioDataError<any Error>) {
      try reader.readData(of: entry) { (block) throws(any Error) in
        try context.cancellation.check()
        switch kind {
        case .file: try spool.write(block)
        case .link where target.count <= Limits.maximumLinkTargetBytes:
          unsafe block.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
        default: break
        }
      }
    } catch {
      switch error {
      case .stream(let error): throw error
      case .body(let error): throw error
      }
    }
    if kind == .link { list.setTarget(Array(target.prefix(Int(Limits.maximumLinkTargetBytes) + 1))) }
  }

  /// Returns a finding if the entries exceed the limits of a package. Called before the data are written.
  private func findExcess() -> Finding? {
    if contentBytes > context.limits.bytes {
      return Finding(
        .sizeOverLimit, "the payload has more than \(context.limits.bytes) bytes of content",
        remedy: "split it into several packages")
    }
    guard
      list.paths.count >= Limits.maximumEntryCount
        || nameBytes > Limits.maximumNameBytes(for: Limits.maximumEntryCount)
    else {
      return nil
    }
    return Finding(
      .pathTooLong,
      "the payload has more files and folders, or longer names, than a package may have (\(Limits.maximumEntryCount))"
    )
  }

  /// Returns the path in the package; nil for the root folder. Names have the form that `find` prints: `.`, `./a`.
  private static func path(of entry: CpioEntry) -> EntryPath? {
    let here = Array("./".utf8)
    if entry.name == [UInt8(ascii: ".")] || entry.name == here { return nil }
    return EntryPath(bytes: entry.name.starts(with: here) ? entry.name[here.count...] : entry.name[...])
  }

  /// Returns the kind of an entry, from the file type of its mode (`stat`). Also records the names of hard-linked
  /// files: a name without its own copy of the data is not a file.
  private mutating func kind(of entry: CpioEntry) -> PayloadList.Kind {
    switch entry.mode & 0o170000 {
    case 0o100000:
      guard entry.linkCount > 1 else { return .file }
      let file = [entry.device, entry.inode]
      if entry.size > 0 { linkedFiles.insert(file) } else { emptyNames.append((list.paths.count, file)) }
      return .file
    case 0o040000: return .folder
    case 0o120000: return .link
    case 0o010000: return .special("fifo")
    case 0o140000: return .special("socket")
    case 0o020000: return .special("character device")
    case 0o060000: return .special("block device")
    default: return .special("file of an unknown kind")
    }
  }
}

/// Ends the reading of a payload that exceeds the limits; the finding has the reason.
struct PayloadTooLarge: Error {}

/// The items of a payload in archive order. Their names share memory.
struct PayloadList: Sendable {
  enum Kind: Sendable, Equatable {
    case file, folder, link
    case special(String)
  }

  private(set) var paths = PathList()
  private(set) var offsets: [Int64] = []
  private var kinds: [Kind] = []
  private var sizes: [Int64] = []
  private var permissions: [UInt16] = []
  private var targets: [Int: [UInt8]] = [:]

  mutating func append(_ path: EntryPath, _ kind: Kind, size: Int64, _ mode: UInt32, at offset: Int64) {
    paths.append(path)
    kinds.append(kind)
    sizes.append(size)
    permissions.append(UInt16(mode & 0o7777))
    offsets.append(offset)
  }

  /// Sets the target of the last item, which must be a link.
  mutating func setTarget(_ target: [UInt8]) { targets[paths.count - 1] = target }

  mutating func setKind(_ kind: Kind, of index: Int) { kinds[index] = kind }

  func item(_ index: Int) -> ContentItem {
    let kind: ContentItem.Kind =
      switch kinds[index] {
      case .file: .file
      case .folder: .folder
      case .link: .link(target: targets[index] ?? [])
      case .special(let name): .special(name)
      }
    return ContentItem(
      path: paths[index], kind: kind, size: sizes[index],
      permissions: kind == .file || kind == .folder ? permissions[index] : nil, index: index)
  }
}

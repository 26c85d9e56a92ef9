import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Reads a payload, puts the data of its files aside, and notes what is in it.
struct PayloadReading: ~Copyable {
  private var spool: SpoolFile
  private let context: WorkContext
  private(set) var list = PayloadList()
  /// Why the rest of the payload was not read.
  private(set) var excess: Finding?
  private var contentBytes: Int64 = 0
  private var nameBytes = 0
  /// Files with several names whose data were there, by device and number.
  private var linkedFiles: Set<[UInt32]> = []
  /// The names of such files that came without data, by their places in the list.
  private var emptyNames: [(index: Int, file: [UInt32])] = []

  init(_ spool: consuming SpoolFile, _ context: WorkContext) {
    self.spool = spool
    self.context = context
  }

  /// Reads all entries, but no further than until there is more than a package may have.
  ///
  /// - Throws: `StreamError`, `FileError` if the data cannot be written, `Interruption`.
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
    // In the newer formats only the last name of a file comes with its data.
    for (index, file) in emptyNames where linkedFiles.contains(file) {
      list.setKind(.special("hard link without data"), of: index)
    }
  }

  /// Ends the reading.
  ///
  /// - Returns: the data of all files, one behind the other.
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
        case .link where target.count <= Limits.linkTargetBytes:
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
    if kind == .link { list.setTarget(Array(target.prefix(Int(Limits.linkTargetBytes) + 1))) }
  }

  /// The finding for more than a package may have, before it is written.
  private func findExcess() -> Finding? {
    if contentBytes > context.limits.bytes {
      return Finding(
        .sizeOverLimit, "the payload has more than \(context.limits.bytes) bytes of content",
        remedy: "make several packages of it")
    }
    guard list.paths.count >= Limits.entries || nameBytes > Limits.nameBytes(for: Limits.entries) else {
      return nil
    }
    return Finding(
      .pathTooLong,
      "the payload has more files and folders, or longer names, than a package may have (\(Limits.entries))")
  }

  /// The path in the package; nil for the folder itself. The names are those of `find`: `.`, `./a`.
  private static func path(of entry: CpioEntry) -> EntryPath? {
    let here = Array("./".utf8)
    if entry.name == [UInt8(ascii: ".")] || entry.name == here { return nil }
    return EntryPath(bytes: entry.name.starts(with: here) ? entry.name[here.count...] : entry.name[...])
  }

  /// The kind of an entry (`stat`, `S_IFMT`). A file with several names has its data with each of them, or else there is
  /// nothing that could be a file.
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

/// Ends the reading of a payload that is too large; the finding says why.
struct PayloadTooLarge: Error {}

/// What is in a payload, in its own order. The names of many share their memory.
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

  /// Sets the target of the last item, a link.
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

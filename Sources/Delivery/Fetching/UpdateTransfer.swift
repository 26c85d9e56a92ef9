/// What an update of the files of a release to another package transfers.
struct UpdateTransfer {
  private let installed: FileDigests
  /// Where files are that are not there already, in the order of their bytes. There may be hundreds of thousands, so
  /// nothing else is kept of them.
  private var missing: [Range<Int64>] = []
  /// Where the targets of links are that the index does not tell.
  private var links: [Range<Int64>] = []

  init(from installed: FileDigests) { self.installed = installed }

  /// For entries of which it is known whether an installed file has their content.
  init() { self.init(from: .none) }

  /// Adds an entry of the package, whose bytes come after those of all others.
  mutating func add(_ entry: IndexEntry) {
    add(entry, isInstalled: entry.digest.map { installed.contains($0) } ?? true)
  }

  /// Adds such an entry, of which it is known whether an installed file has its content.
  mutating func add(_ entry: IndexEntry, isInstalled: Bool) {
    guard entry.digest != nil, entry.packedSize > 0 else { return }
    if entry.kind == .link, entry.target == nil { links.append(entry.packedRange) }
    if TransferPlan.isFile(entry), !isInstalled { missing.append(entry.packedRange) }
  }

  /// The bytes of the index, and of the parts of the package that `ReleaseFetcher` would ask for.
  func bytes(withIndexOf indexBytes: Int64) -> Int64 {
    [missing, links].reduce(indexBytes) { bytes, ranges in
      bytes + TransferPlan(of: ranges.indices.map { UInt32($0) }) { ranges[Int($0)] }.bytes
    }
  }
}

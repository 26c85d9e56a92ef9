/// The bytes that an update from an installed release to another package transfers.
struct UpdateTransfer {
  private let installed: FileDigests
  /// The ranges of the missing files, in offset order. There may be hundreds of thousands, so nothing else is stored.
  private var missing: [Range<Int64>] = []
  /// The ranges of the link targets that the index lacks.
  private var links: [Range<Int64>] = []

  init(from installed: FileDigests) { self.installed = installed }

  /// Creates an update for entries whose presence the caller determines.
  init() { self.init(from: .none) }

  /// Adds an entry of the package. Entries must be added in offset order.
  mutating func add(_ entry: IndexEntry) {
    add(entry, isInstalled: entry.digest.map { installed.contains($0) } ?? true)
  }

  /// Adds an entry, also in offset order; the caller determines whether an installed file has its content.
  mutating func add(_ entry: IndexEntry, isInstalled: Bool) {
    guard entry.digest != nil, entry.packedSize > 0 else { return }
    if entry.kind == .link, entry.target == nil { links.append(entry.packedRange) }
    if TransferPlan.isFile(entry), !isInstalled { missing.append(entry.packedRange) }
  }

  /// Returns the bytes of the index, and of the parts of the package that `ReleaseFetcher` would request.
  func bytes(withIndexOf indexBytes: Int64) -> Int64 {
    [missing, links].reduce(indexBytes) { bytes, ranges in
      bytes + TransferPlan(of: ranges.indices.map { UInt32($0) }) { ranges[Int($0)] }.bytes
    }
  }
}

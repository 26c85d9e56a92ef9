/// What an update of the files of a release to another package transfers.
struct UpdateTransfer {
  private let installed: FileDigests
  /// Where files are that are not there already, in the order of their bytes. There may be hundreds of thousands, so
  /// nothing else is kept of them.
  private var missing: [Range<Int64>] = []

  init(from installed: FileDigests) { self.installed = installed }

  /// Adds an entry of the package, whose bytes come after those of all others.
  mutating func add(_ entry: IndexEntry) {
    guard let digest = entry.digest, entry.packedSize > 0, TransferPlan.isFile(entry),
      !installed.contains(digest)
    else { return }
    missing.append(entry.offset..<entry.offset + entry.packedSize)
  }

  /// The bytes of the index, and of the parts of the package that `ReleaseFetcher` would ask for.
  func bytes(withIndexOf indexBytes: Int64) -> Int64 {
    let plan = TransferPlan(of: missing.indices.map { UInt32($0) }) { missing[Int($0)] }
    return indexBytes + plan.bytes
  }
}

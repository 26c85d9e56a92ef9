/// The bytes that an update from an installed release to another package transfers.
struct UpdateTransfer {
  private let installed: FileDigests
  /// The missing parts of files, in offset order.
  private var missing: [TransferPlan.Part] = []
  /// The link targets that the index lacks.
  private var links: [TransferPlan.Part] = []
  private var count = 0

  init(from installed: FileDigests) { self.installed = installed }

  /// Adds an entry of the package. Entries must be added in offset order.
  mutating func add(_ entry: IndexEntry) {
    add(entry, isInstalled: entry.digest.map { installed.contains($0) } ?? true)
  }

  /// Adds an entry, also in offset order; `isInstalled` is whether an installed file has its content.
  mutating func add(_ entry: IndexEntry, isInstalled: Bool) {
    guard entry.digest != nil, entry.packedSize > 0 else { return }
    count += 1
    if entry.kind == .link, entry.target == nil {
      links.append(entry, count) { _ in false }
    }
    if TransferPlan.isFile(entry), !isInstalled {
      missing.append(entry, count) { installed.contains($0) }
    }
  }

  /// Returns the number of bytes of the index, and of the parts of the package that `ReleaseFetcher` would request.
  func bytes(withIndexOf indexBytes: Int64) -> Int64 {
    indexBytes + TransferPlan(of: missing).bytes + TransferPlan(of: links).bytes
  }
}

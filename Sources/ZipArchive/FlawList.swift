/// The flaws of an archive in the order in which they were found.
struct FlawList {
  /// How many flaws of one kind are kept, so that an archive of a million damaged entries cannot fill memory.
  static let mostOfOneKind = 10_000

  private(set) var flaws: [ZipFlaw] = []
  private var counts: [ZipFlaw.Kind: Int] = [:]

  mutating func add(_ kind: ZipFlaw.Kind, at path: EntryPath? = nil, _ message: @autoclosure () -> String) {
    let count = counts[kind, default: 0]
    guard count < Self.mostOfOneKind else { return }
    counts[kind] = count + 1
    flaws.append(ZipFlaw(kind, at: path, message()))
  }

  mutating func add(_ flaw: ZipFlaw) { add(flaw.kind, at: flaw.path, flaw.message) }
}

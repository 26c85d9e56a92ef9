/// What is wrong with an archive, in the order in which it was found.
struct FlawList {
  /// How many flaws of one kind are kept, so that an archive of very many damaged entries cannot fill memory.
  static let mostOfOneKind = 1_000

  private var kept: [ZipFlaw] = []
  private var counts: [ZipFlaw.Kind: Int] = [:]

  mutating func add(_ kind: ZipFlaw.Kind, at path: EntryPath? = nil, _ message: @autoclosure () -> String) {
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.mostOfOneKind else { return }
    kept.append(ZipFlaw(kind, at: path, message()))
  }

  /// The flaws that are kept; the last one of a kind of which some are not says how many.
  var flaws: [ZipFlaw] {
    var flaws = kept
    for (kind, count) in counts where count > Self.mostOfOneKind {
      guard let last = flaws.lastIndex(where: { $0.kind == kind }) else { continue }
      flaws[last] = ZipFlaw(
        kind, at: flaws[last].path, flaws[last].message, omitted: count - Self.mostOfOneKind)
    }
    return flaws
  }

  mutating func add(_ flaw: ZipFlaw) { add(flaw.kind, at: flaw.path, flaw.message) }
}

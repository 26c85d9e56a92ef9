/// What is wrong with an archive, in the order in which it was found.
struct ZipFindingList {
  /// How many findings of one kind are kept, so that an archive of very many damaged entries cannot fill memory.
  static let maximumCountPerKind = 1_000

  private var kept: [ZipFinding] = []
  private var counts: [ZipFinding.Kind: Int] = [:]

  mutating func add(_ kind: ZipFinding.Kind, at path: EntryPath? = nil, _ message: @autoclosure () -> String)
  {
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.maximumCountPerKind else { return }
    kept.append(ZipFinding(kind, at: path, message()))
  }

  /// The findings that are kept; the last one of a kind of which some are not says how many.
  var findings: [ZipFinding] {
    var findings = kept
    for (kind, count) in counts where count > Self.maximumCountPerKind {
      guard let last = findings.lastIndex(where: { $0.kind == kind }) else { continue }
      findings[last] = ZipFinding(
        kind, at: findings[last].path, findings[last].message, omitted: count - Self.maximumCountPerKind)
    }
    return findings
  }

  mutating func add(_ finding: ZipFinding) { add(finding.kind, at: finding.path, finding.message) }
}

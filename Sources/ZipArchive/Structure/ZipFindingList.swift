/// The findings of an archive, in the order of detection.
struct ZipFindingList {
  /// The maximum number of findings kept per kind, so that very many damaged entries cannot exhaust memory.
  static let maximumCountPerKind = 1_000

  private var kept: [ZipFinding] = []
  private var counts: [ZipFinding.Kind: Int] = [:]

  mutating func add(_ kind: ZipFinding.Kind, at path: EntryPath? = nil, _ message: @autoclosure () -> String)
  {
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.maximumCountPerKind else { return }
    kept.append(ZipFinding(kind, at: path, message()))
  }

  /// The kept findings; the last finding of a truncated kind has the number of omitted findings.
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

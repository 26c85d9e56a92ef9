import ZipArchive

/// Collects findings and keeps a limited number of them.
///
/// For each rule and severity, the list keeps the findings that are first in the report, independent of the order in
/// which they are added. The last kept finding has the number of omitted ones.
struct FindingList: Sendable {
  private struct Kind: Hashable {
    let rule: Rule
    let severity: Finding.Severity

    init(_ finding: Finding) { (rule, severity) = (finding.rule, finding.severity) }
  }

  private struct Kept {
    var findings: [Finding] = []
    var omitted = 0

    mutating func shorten() {
      guard findings.count > Limits.findingsOfOneRule else { return }
      findings = findings.inReportOrder
      omitted += findings.count - Limits.findingsOfOneRule
      findings.removeLast(findings.count - Limits.findingsOfOneRule)
    }
  }

  private var byKind: [Kind: Kept] = [:]

  mutating func add(_ more: some Sequence<Finding>) { for finding in more { add(finding) } }

  mutating func add(_ finding: Finding) {
    var kept = byKind.removeValue(forKey: Kind(finding)) ?? Kept()
    kept.omitted += finding.omitted
    kept.findings.append(finding.omitted == 0 ? finding : finding.leavingOut(0))
    if kept.findings.count >= 2 * Limits.findingsOfOneRule { kept.shorten() }
    byKind[Kind(finding)] = kept
  }

  mutating func removeAll(of rules: Set<Rule>) {
    for kind in byKind.keys where rules.contains(kind.rule) { byKind[kind] = nil }
  }

  mutating func removeAll(of rule: Rule, where isUnwanted: (Finding) -> Bool) {
    for kind in byKind.keys where kind.rule == rule { byKind[kind]?.findings.removeAll(where: isUnwanted) }
  }

  /// The kept findings in report order.
  var findings: [Finding] {
    var byKind = byKind
    for kind in byKind.keys { byKind[kind]?.shorten() }
    var omitted = byKind.mapValues(\.omitted)
    var indices: [Kind: Int] = [:]
    var findings: [Finding] = []
    var textBytes = 0
    for finding in byKind.values.flatMap(\.findings).inReportOrder {
      let kind = Kind(finding)
      textBytes += finding.message.utf8.count + (finding.path?.bytes.count ?? 0)
      // At least one finding of each kind is kept.
      if textBytes > Limits.findingTextBytes, indices[kind] != nil {
        omitted[kind, default: 0] += 1
        continue
      }
      indices[kind] = findings.count
      findings.append(finding)
    }
    for (kind, index) in indices { findings[index] = findings[index].leavingOut(omitted[kind, default: 0]) }
    return findings
  }
}

extension [Finding] {
  /// The findings sorted by path, then by rule and message. Findings about the whole package are first.
  package var inReportOrder: [Finding] {
    let rank = Dictionary(uniqueKeysWithValues: Rule.allCases.enumerated().map { ($0.element, $0.offset) })
    let none = EntryPath("")
    return sorted {
      let (left, right) = ($0.path ?? none, $1.path ?? none)
      guard left == right else { return left < right }
      guard $0.rule == $1.rule else { return rank[$0.rule, default: 0] < rank[$1.rule, default: 0] }
      return $0.message < $1.message
    }
  }
}

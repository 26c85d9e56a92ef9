import ZipArchive

/// Collects findings and keeps a limited number of them.
///
/// For each rule and severity, the list keeps the findings that are first in the report, independent of the order in
/// which they are added. The last kept finding has the number of omitted findings. Findings that the user ignores have
/// a separate limit, so that they leave room for the others.
struct FindingList: Sendable {
  private struct Kind: Hashable {
    let rule: Rule
    let severity: Finding.Severity
    let isIgnored: Bool
  }

  /// The kept findings of one kind.
  private struct KeptFindings {
    var findings: [Finding] = []
    var omitted = 0

    mutating func shorten() {
      guard findings.count > Limits.maximumFindingCount else { return }
      findings = findings.inReportOrder
      omitted += findings.count - Limits.maximumFindingCount
      findings.removeLast(findings.count - Limits.maximumFindingCount)
    }
  }

  private let ignores: @Sendable (Finding) -> Bool
  private var byKind: [Kind: KeptFindings] = [:]

  /// Creates an empty list.
  ///
  /// - Parameter ignores: Returns whether the user ignores a finding.
  init(ignoring ignores: @escaping @Sendable (Finding) -> Bool = { _ in false }) { self.ignores = ignores }

  mutating func add(_ more: some Sequence<Finding>) { for finding in more { add(finding) } }

  private func kind(of finding: Finding) -> Kind {
    Kind(rule: finding.rule, severity: finding.severity, isIgnored: ignores(finding))
  }

  mutating func add(_ finding: Finding) {
    let kind = kind(of: finding)
    var kept = byKind.removeValue(forKey: kind) ?? KeptFindings()
    kept.omitted += finding.omitted
    kept.findings.append(finding.omitted == 0 ? finding : finding.withOmitted(0))
    if kept.findings.count >= 2 * Limits.maximumFindingCount { kept.shorten() }
    byKind[kind] = kept
  }

  mutating func removeAll(of rules: Set<Rule>) {
    for kind in byKind.keys where rules.contains(kind.rule) { byKind[kind] = nil }
  }

  /// Removes findings that were added before and are kept or omitted.
  ///
  /// - Parameter unwanted: The findings, sorted by path. The list has no other findings of their rules at their paths.
  mutating func remove(_ unwanted: some Sequence<Finding>) {
    let kept = byKind.mapValues { Set($0.findings.map(\.path)) }
    var removed: [Kind: Set<EntryPath?>] = [:]
    var previous: EntryPath?
    for finding in unwanted where finding.path != previous {
      previous = finding.path
      let kind = kind(of: finding)
      if kept[kind]?.contains(finding.path) == true {
        removed[kind, default: []].insert(finding.path)
      } else if let omitted = byKind[kind]?.omitted, omitted > 0 {
        byKind[kind]?.omitted = omitted - 1
      }
    }
    for (kind, paths) in removed { byKind[kind]?.findings.removeAll { paths.contains($0.path) } }
  }

  /// The kept findings in report order.
  var findings: [Finding] {
    var byKind = byKind
    for kind in byKind.keys { byKind[kind]?.shorten() }
    var omitted = byKind.mapValues(\.omitted)
    var indices: [Kind: Int] = [:]
    var findings: [Finding] = []
    var textBytes: [Bool: Int] = [:]
    let all = byKind.flatMap { kind, kept in kept.findings.map { (kind: kind, finding: $0) } }
    for (kind, finding) in all.sortedForReport(by: \.finding) {
      textBytes[kind.isIgnored, default: 0] += finding.message.utf8.count + (finding.path?.bytes.count ?? 0)
      // At least one finding of each kind is kept.
      if textBytes[kind.isIgnored, default: 0] > Limits.maximumFindingTextBytes, indices[kind] != nil {
        omitted[kind, default: 0] += 1
        continue
      }
      indices[kind] = findings.count
      findings.append(finding)
    }
    for (kind, index) in indices {
      findings[index] = findings[index].withOmitted(omitted[kind, default: 0], ignored: kind.isIgnored)
    }
    return findings
  }
}

extension [Finding] {
  /// The findings sorted by path, then by rule and message. Findings about the whole package are first.
  package var inReportOrder: [Finding] { sortedForReport { $0 } }
}

extension Array {
  /// Returns the elements in the report order of their findings.
  fileprivate func sortedForReport(by finding: (Element) -> Finding) -> [Element] {
    let rank = Dictionary(uniqueKeysWithValues: Rule.allCases.enumerated().map { ($0.element, $0.offset) })
    let none = EntryPath("")
    return sorted {
      let (first, second) = (finding($0), finding($1))
      let (left, right) = (first.path ?? none, second.path ?? none)
      guard left == right else { return left < right }
      guard first.rule == second.rule else {
        return rank[first.rule, default: 0] < rank[second.rule, default: 0]
      }
      return first.message < second.message
    }
  }
}

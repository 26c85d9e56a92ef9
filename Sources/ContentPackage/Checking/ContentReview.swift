import SafeFiles
package import Support
import ZipArchive

/// The findings of all rules that need no content, for a package or content folder.
public struct ContentReview: Sendable {
  /// The purpose of the review.
  package enum Purpose: Sendable {
    /// The source is checked or installed unchanged.
    case check
    /// The source is packed. Permissions are replaced and junk is left out, so these are only notes.
    case pack
    /// The source is compared with another one, and need not follow the rules.
    case compare
  }

  package private(set) var source: any ContentSource
  /// All items of the source except the junk in a folder, which is never packed.
  package let items: ContentItems
  /// All findings in the order of reports: by path, then by rule.
  public private(set) var findings: [Finding]
  private var list: FindingList
  /// The result of reading the manifest, which is read only once.
  let manifest: ManifestReading
  /// Whether the files may be read: the container is valid and the content within the limit.
  package let isReadable: Bool

  /// Whether ignorable errors are ignored.
  private var ignoresErrors = false

  /// Whether the findings allow the content to be packed or copied.
  package var isAcceptable: Bool {
    findings.allSatisfy { $0.severity != .error || ignoresErrors && $0.rule.description.ignorable }
  }

  /// Returns the same review with ignorable errors ignored.
  package func accepted() -> ContentReview {
    var review = self
    review.ignoresErrors = true
    return review
  }

  /// Returns the same review with other findings in place of those that `replacement` returns.
  package func replacingFindings(_ replacement: (Finding) -> Finding) -> ContentReview {
    var (review, list) = (self, FindingList(ignoring: source.ignores))
    list.add(findings.map(replacement))
    (review.list, review.findings) = (list, list.findings)
    return review
  }

  /// The product, if the manifest has a valid one.
  public var productIdentifier: ProductIdentifier? { manifest.review?.productIdentifier }
  /// The version, if the manifest has a valid one.
  public var contentVersion: ContentVersion? { manifest.review?.contentVersion }
  /// The identity, if the manifest has both parts of it.
  public var contentInfo: ContentInfo? { manifest.review?.contentInfo }
  /// The unpacked size of all files and links in bytes.
  public var contentBytes: Int64 { SizeRules.contentBytes(of: items) }
  /// The items with readable content; none if the container is invalid or too large.
  package var readableItems: ContentItems { isReadable ? items : ContentItems() }
  /// The total size of the readable files in bytes.
  package var fileBytes: Int64 {
    SizeRules.sum(readableItems.lazy.filter { $0.kind == .file }.map(\.size))
  }

  /// Applies every rule that needs only names, kinds, sizes, links and the manifest.
  ///
  /// - Throws: `SourceError` if the manifest cannot be read, `Interruption`.
  package init(
    of source: any ContentSource, for purpose: Purpose = .check, limits: Limits,
    cancellation: Cancellation = Cancellation()
  ) throws {
    self.source = source
    let isPacking = purpose == .pack
    items =
      source.kind == .folder
      ? source.items.filtered { !NameRecognizer.isJunk($0.path, isFolder: $0.kind == .folder) } : source.items
    let sizes = SizeRules.findings(items: items, archiveBytes: source.archiveBytes, limits: limits)
    isReadable = source.isReadable && !sizes.contains { $0.rule == .sizeOverLimit }
    var list = FindingList(ignoring: source.ignores)
    list.add(source.findings)
    list.add(sizes)
    if purpose != .compare {
      try Self.applyRules(to: source, items, isPacking: isPacking, cancellation) { list.add($0) }
    }
    if !source.isComplete { list.removeAll(of: Self.absences) }
    manifest = source.isReadable ? try source.readManifest() : .absent
    switch manifest {
    case .absent: break
    case .damaged: break  // reported when the files are read
    case .tooLarge(let finding): list.add(finding)
    case .read(let review): list.add(review.findings)
    }
    self.list = list
    findings = list.findings
  }

  /// Applies the rules about names, kinds and links to the items of a package.
  private static func applyRules(
    to source: any ContentSource, _ items: ContentItems, isPacking: Bool, _ cancellation: Cancellation,
    _ report: (Finding) -> Void
  ) throws {
    RootRules.review(items, report)
    try cancellation.check()
    let tree = PathTree(
      PathItems(count: items.count) { PathItem(items[$0]) }, cancellation: cancellation)
    try cancellation.check()
    PathRules.review(tree, cancellation: cancellation, report)
    LinkRules.review(tree, cancellation: cancellation, report)
    try cancellation.check()
    let names = source.items.lazy.map { (path: $0.path, isFolder: $0.kind == .folder) }
    NameRecognizer.review(names, cancellation: cancellation) { finding in
      report(isPacking && finding.rule == .fileJunk ? finding.leftOut : finding)
    }
    ModeRules.review(items, normalising: isPacking, report)
    try cancellation.check()
  }

  /// Reviews the package or content folder at a path; see `init(of:for:limits:cancellation:)`.
  package init(
    opening path: String, _ choices: FolderChoices = FolderChoices(), for purpose: Purpose = .check,
    limits: Limits = Limits(), cancellation: Cancellation
  ) throws {
    try self.init(
      of: PackageInput.open(path, choices, cancellation: cancellation), for: purpose, limits: limits,
      cancellation: cancellation)
  }

  /// Returns the same review with another source that has the same items.
  func replacing(source: any ContentSource) -> ContentReview {
    var review = self
    review.source = source
    return review
  }

  /// The rules about missing items, which may be among the entries that could not be read.
  private static let absences: Set<Rule> = [
    .manifestMissing, .packageContentsMissing, .packageContentsEmpty, .linkDangling,
  ]

  /// The rules that both the name and the bytes of a file can break.
  private static let rulesOnNames: Set<Rule> = [.fileScript, .filePossibleCode, .fileSecret]

  /// Adds the findings in the content.
  package mutating func add(_ more: [Finding]) {
    // A finding on the name is redundant if the bytes gave the same finding or proved a bundle.
    struct Place: Hashable {
      let path: EntryPath?
      let rule: Rule
    }
    let told = Set(more.lazy.map { Place(path: $0.path, rule: $0.rule) })
    for rule in Self.rulesOnNames {
      let rules: [Rule] = rule == .filePossibleCode ? [rule, .fileExecutableBundle] : [rule]
      list.removeAll(of: rule) { finding in
        rules.contains { told.contains(Place(path: finding.path, rule: $0)) }
      }
    }
    list.add(more)
    findings = list.findings
  }

}

extension Finding {
  /// The same finding as a note about junk that is left out of a new package.
  fileprivate var leftOut: Finding {
    Finding(rule, at: path, severity: .note, "left out: \(message)", remedy: "nothing needs to be done")
  }
}

extension PathItem {
  /// A link with an unreadable target counts as a file, because it already has a finding.
  fileprivate init(_ item: ContentItem) {
    switch item.kind {
    case .file, .special, .link(target: nil): self.init(item.path, .file)
    case .folder: self.init(item.path, .folder)
    case .link(let target?): self.init(item.path, .link(target: target))
    }
  }
}

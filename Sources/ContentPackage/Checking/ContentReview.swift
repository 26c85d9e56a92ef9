import SafeFiles
package import Support
import ZipArchive

/// The review of a package or content folder: the items, the manifest and the findings. A new review has only the
/// findings that need no content; a scan adds the others.
public struct ContentReview: Sendable {
  /// The purpose of the review.
  package enum Purpose: Sendable {
    /// The source is checked or installed unchanged.
    case check
    /// The source is packed. Findings about permissions and junk are only notes, because packing replaces permissions and
    /// omits junk.
    case pack
    /// The source is compared with another source and need not follow the rules.
    case compare
  }

  /// The reviewed package or content folder.
  package private(set) var source: any ContentSource
  /// All items of the source except those of a folder that are never packed: junk and `META-INF/`.
  package let items: ContentItems
  /// All findings in the order of reports: by path, then by rule.
  public private(set) var findings: [Finding]
  private var list: FindingList
  /// The result of reading the manifest, which is read only once.
  let manifest: ManifestReading
  /// Whether the files may be read: the container is sound, and the content is within the limit.
  package let isReadable: Bool

  /// Whether ignorable errors are ignored.
  private var ignoresErrors = false

  /// Whether the findings allow the content to be packed or copied.
  package var isAcceptable: Bool {
    findings.allSatisfy { $0.severity != .error || ignoresErrors && $0.rule.description.isIgnorable }
  }

  /// Returns the same review with ignorable errors ignored.
  package func ignoringErrors() -> ContentReview {
    var review = self
    review.ignoresErrors = true
    return review
  }

  /// Returns the same review with each finding replaced by the result of `replacement`.
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
  /// The identity, if the manifest has a valid product and version.
  public var contentInfo: ContentInfo? { manifest.review?.contentInfo }
  /// The unpacked size of all files and links in bytes.
  public var contentBytes: Int64 { SizeRules.contentBytes(of: items) }
  /// The items whose content may be read; none if `isReadable` is false.
  package var readableItems: ContentItems { isReadable ? items : ContentItems() }
  /// The total size of the readable files in bytes.
  package var fileBytes: Int64 {
    SizeRules.sum(readableItems.lazy.filter { $0.kind == .file }.map(\.size))
  }

  /// Applies every rule that needs only names, kinds, sizes, links and the manifest.
  ///
  /// - Throws: `FileError` or `SourceError` if the manifest cannot be read, `Interruption`.
  package init(
    of source: any ContentSource, for purpose: Purpose = .check, limits: Limits,
    cancellation: Cancellation = Cancellation()
  ) throws {
    self.source = source
    let isPacking = purpose == .pack
    items =
      source.kind == .folder
      ? source.items.filtered {
        !Self.isMetaInf($0) && !NameRecognizer.isJunk($0.path, isFolder: $0.kind == .folder)
      } : source.items
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

  private static func isMetaInf(_ item: ContentItem) -> Bool { item.path.first == PackageLayout.metaInf }

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
    let isFolder = source.kind == .folder
    let names = source.items.lazy.filter { !isFolder || !isMetaInf($0) }
      .map { (path: $0.path, isFolder: $0.kind == .folder) }
    NameRecognizer.review(names, cancellation: cancellation) { finding in
      report(isPacking && finding.rule == .fileJunk ? finding.asOmittedJunk : finding)
    }
    ModeRules.review(items, normalizing: isPacking, report)
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

  /// Adds findings, such as those about the name of a package.
  package mutating func add(_ more: [Finding]) {
    list.add(more)
    findings = list.findings
  }

  /// Adds the findings in the content.
  package mutating func add(_ scan: ScanResult) {
    // A finding on the name is redundant if the bytes gave the same finding or proved a bundle.
    let items = readableItems
    list.remove(
      scan.namedFiles.lazy.compactMap { NameRecognizer.finding(at: items[Int($0)].path, isFolder: false) })
    list.remove(scan.bundles.lazy.compactMap(BundleRules.findingOnName))
    add(scan.findings)
  }
}

extension Finding {
  /// The same finding as a note about junk that a new package omits.
  fileprivate var asOmittedJunk: Finding {
    Finding(rule, at: path, severity: .note, "omitted: \(message)", remedy: "nothing needs to be done")
  }
}

extension PathItem {
  /// Creates the data of an item. A link with an unreadable target counts as a file, because it already has a finding.
  fileprivate init(_ item: ContentItem) {
    switch item.kind {
    case .file, .special, .link(target: nil): self.init(item.path, .file)
    case .folder: self.init(item.path, .folder)
    case .link(let target?): self.init(item.path, .link(target: target))
    }
  }
}

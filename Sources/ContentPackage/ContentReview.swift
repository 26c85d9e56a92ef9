import SafeFiles
import ZipArchive

/// What the rules say of a package or content folder.
public struct ContentReview: Sendable {
  /// What is done with a source, where it bears on what is wrong with it.
  package enum Purpose: Sendable {
    /// It is checked or installed as it is.
    case check
    /// It is packed anew: permissions become ours and junk is left out, which is only worth a note.
    case pack
  }

  package let source: any ContentSource
  /// What is, or is to be, in the package: all items of the source, less those that are left out.
  package let items: [ContentItem]
  /// All findings in the order in which they are reported: by path, then by the catalogue.
  public private(set) var findings: [Finding]
  private var manifest: ManifestReview?
  /// Whether the files may be read: the container is sound and the content within the limit.
  private let isReadable: Bool

  /// The product, if the manifest names one.
  public var productIdentifier: ProductIdentifier? { manifest?.productIdentifier }
  /// The version, if the manifest names one.
  public var contentVersion: ContentVersion? { manifest?.contentVersion }
  /// The identity, if the manifest gives both parts of it.
  public var contentInfo: ContentInfo? { manifest?.contentInfo }
  /// Bytes of all files and links, once unpacked.
  public var contentBytes: Int64 { SizeRules.contentBytes(of: items) }
  /// The items whose bytes, as far as they are files, are still to be looked at.
  package var readableItems: [ContentItem] { isReadable ? items : [] }
  /// The sum of these bytes.
  package var fileBytes: Int64 {
    SizeRules.sum(readableItems.lazy.filter { $0.kind == .file }.map(\.size))
  }

  /// Applies every rule that needs no more than names, kinds, sizes, links and the manifest.
  ///
  /// - Throws: `FileFailure` or `SourceChanged` if the manifest cannot be read.
  package init(of source: any ContentSource, for purpose: Purpose = .check, limits: Limits) throws {
    self.source = source
    let isPacking = purpose == .pack
    items = isPacking ? source.items.filter { !NameRecognizer.isJunk($0.path) } : source.items
    let sizes = SizeRules.findings(items: items, archiveBytes: source.archiveBytes, limits: limits)
    isReadable = source.isReadable && !sizes.contains { $0.rule == .sizeOverLimit }
    findings = source.findings + sizes
    findings += RootRules.findings(for: items)
    let tree = PathTree(items.map(PathItem.init))
    findings += PathRules.findings(in: tree)
    findings += LinkRules.findings(in: tree)
    findings += Self.nameFindings(source.items, isPacking: isPacking)
    findings += ModeRules.findings(for: items, normalising: isPacking)
    if !source.isComplete { findings.removeAll { Self.absences.contains($0.rule) } }
    try readManifest()
    findings = findings.inReportOrder
  }

  /// Rules that find something missing, which may be among the entries that could not be made out.
  private static let absences: Set<Rule> = [
    .manifestMissing, .packageContentsMissing, .packageContentsEmpty, .linkDangling,
  ]

  /// Adds what was found later, in the content.
  package mutating func add(_ more: [Finding]) { findings = (findings + more).inReportOrder }

  /// What the names say; junk that is left out of a new package is only worth a note.
  private static func nameFindings(_ items: [ContentItem], isPacking: Bool) -> [Finding] {
    let found = NameRecognizer.findings(for: items.map { (path: $0.path, isFolder: $0.kind == .folder) })
    guard isPacking else { return found }
    return found.map {
      guard $0.rule == .fileJunk else { return $0 }
      return Finding(
        .fileJunk, at: $0.path, severity: .note, "left out: \($0.message)", remedy: "nothing needs to be done"
      )
    }
  }

  private mutating func readManifest() throws {
    guard isReadable, let item = items.first(where: { $0.path == PackageLayout.manifest }) else { return }
    guard item.kind == .file else { return }
    if let finding = ManifestReview.sizeFinding(item.size) {
      findings.append(finding)
      return
    }
    let bytes: [UInt8]
    do {
      bytes = try source.bytes(of: item)
    } catch is ContentDamage {
      return  // found again, and reported, when the files are read
    }
    let review = ManifestReview(of: bytes)
    findings += review.findings
    manifest = review
  }
}

extension [Finding] {
  /// Sorted by path, what concerns the whole package first, then by the catalogue and the words.
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

extension PathItem {
  /// A link whose target could not be read, which is a finding of its own, counts as a file.
  fileprivate init(_ item: ContentItem) {
    switch item.kind {
    case .file, .special, .link(target: nil): self.init(item.path, .file)
    case .folder: self.init(item.path, .folder)
    case .link(let target?): self.init(item.path, .link(target: target))
    }
  }
}

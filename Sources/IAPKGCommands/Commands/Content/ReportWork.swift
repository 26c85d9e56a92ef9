import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// The report of `report` on one package or content folder.
struct ReportWork {
  /// The comparison with the baseline.
  enum Comparison {
    case published(ContentUpdate)
    case store(StoreComparison)
  }

  let path: String
  /// The review, which includes compressed sizes for a folder.
  let review: ContentReview
  let weights: ContentWeights
  let comparison: Comparison?
  /// All findings, including those that the settings ignore.
  let findings: [Finding]
  let settings: FolderSettings?

  /// - Throws: `CommandError` for a folder without content; the errors of `PackageValidator.validate` and
  ///   `BaselineSource.content`.
  init(_ path: String, _ baseline: BaselineSource?, _ context: WorkContext) throws {
    try CommandError.refuseOtherFolder(path)
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    let settings = isFolder ? try FolderSettings.load(for: path) : nil
    let choices = settings?.choices() ?? FolderChoices()
    let validator = PackageValidator(context: context)
    let builder = PackageBuilder(context: context).with(choices)
    switch try baseline?.content(for: path, settings, context.cancellation) {
    case .store(let reader, let channel):
      let source = try PackageInput.open(path, choices, judging: true, cancellation: context.cancellation)
      let digests = ContentDigests(of: source)
      var review = try validator.review(of: source, makeReceiver: digests.makeReceiver)
      review.add(PackageValidator.nameFindings(of: source, at: path))
      review = try builder.measured(review)
      let comparison = try StoreComparison(of: review, digests.finish(), in: channel, by: reader, context)
      try self.init(path, review, .store(comparison), settings, builder)
    case .published(let published):
      // Opened before the input, because opening the input allocates memory for its names.
      let old = try UpdateBaseline(
        opening: published, FolderChoices(of: published), cancellation: context.cancellation)
      guard old.content.side.isIdentified else { throw CommandError.unidentified(published) }
      let review = try builder.measured(validator.review(path, choices))
      if let old = old.content.side.productIdentifier, let new = review.productIdentifier, old != new {
        throw ComparisonError.otherProduct(path: published, old, expected: new)
      }
      let update = try ContentUpdate(of: old, to: review, by: builder)
      try self.init(path, review, .published(update), settings, builder)
    case nil:
      let review = try builder.measured(validator.review(path, choices))
      try self.init(path, review, nil, settings, builder)
    }
  }

  private init(
    _ path: String, _ review: ContentReview, _ comparison: Comparison?, _ settings: FolderSettings?,
    _ builder: PackageBuilder
  ) throws {
    var review = review
    review.add(try builder.budgetFindings(of: review, since: comparison?.changes(of: review.items)))
    self.path = path
    self.review = review
    self.comparison = comparison
    self.settings = settings
    findings = review.findings + [comparison?.finding(for: review)].compactMap(\.self)
    weights = try ContentWeights(of: review, context: builder.context)
  }

  /// The record of unused settings.
  var usage: SettingsUsage {
    var usage = SettingsUsage(isForList: false)
    guard let settings else { return usage }
    for finding in findings { _ = settings.reason(for: finding) }
    usage.add(settings, [.exclude, .ignore, .budget])
    return usage
  }

  /// The updates from each release of the store; nil if the baseline is not a store.
  var updates: [StoreComparison.Update]? {
    if case .store(let comparison) = comparison { comparison.updates } else { nil }
  }
}

extension ReportWork.Comparison {
  /// Returns `version/not-raised` if the content changed and the version is not higher.
  fileprivate func finding(for review: ContentReview) -> Finding? {
    switch self {
    case .published(let update): VersionCheck(update.differences).finding
    case .store(let comparison): comparison.finding(for: review.contentVersion)
    }
  }

  /// Returns the changes of the content since the baseline; nil if the store has no release.
  fileprivate func changes(of items: ContentItems) throws -> ChangeSummary? {
    switch self {
    case .published(let update): try ChangeSummary(update.differences, updateBytes: update.downloadBytes)
    case .store(let comparison): try comparison.changes(of: items)
    }
  }

  /// The version of the baseline; nil if the store has no release.
  var oldVersion: ContentVersion? {
    switch self {
    case .published(let update): update.differences.old.contentVersion
    case .store(let comparison): comparison.newest?.contentVersion
    }
  }

  /// The download size of an update from the baseline, in bytes.
  var downloadBytes: Int64 {
    switch self {
    case .published(let update): update.downloadBytes
    case .store(let comparison): comparison.downloadBytes
    }
  }

  /// Whether the content differs in anything but the version.
  var isChanged: Bool {
    switch self {
    case .published(let update): update.differences.count > 0
    case .store(let comparison): comparison.isChanged
    }
  }
}

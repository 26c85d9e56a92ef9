import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// The review of one package or content folder for `report`, and the comparison with its baseline.
struct ReportWork {
  /// The comparison with the baseline.
  struct Comparison {
    /// The differences from the baseline; nil if the store has no release.
    let differences: Differences?
    /// The download size of an update from the baseline, in bytes; nil if the store has no release.
    let updateBytes: Int64?
    /// The finding about the version of the content.
    let finding: Finding?
    /// Indices of added or changed files that an update does not download, because the release has their content at
    /// another path.
    var moved: [UInt32] = []
    /// The updates from each release of the store; nil if the baseline is not a store.
    var updates: [StoreComparison.Update]?

    /// The version of the baseline; nil if the store has no release.
    var oldVersion: ContentVersion? { differences?.old.contentVersion }

    /// Whether the content differs in anything but the version.
    var isChanged: Bool { (differences?.count ?? 0) > 0 }
  }

  let path: String
  /// The review, which includes compressed sizes for a folder.
  let review: ContentReview
  let weights: ContentWeights
  let comparison: Comparison?
  /// All findings, including those that the settings ignore.
  let findings: [Finding]
  let settings: FolderSettings?

  /// Reviews an input and compares it with its baseline.
  ///
  /// - Throws: `CommandError` for a folder without content; `ComparisonError.otherProduct`; the errors of
  ///   `PackageValidator.review`.
  init(_ path: String, _ baseline: BaselineSource?, _ context: WorkContext) throws {
    try CommandError.refuseOtherFolder(path)
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    let settings = isFolder ? try FolderSettings.load(for: path) : nil
    let choices = settings?.choices() ?? FolderChoices()
    let validator = PackageValidator(context: context)
    let builder = PackageBuilder(context: context).with(choices)
    switch baseline?.content(for: path, settings, context.cancellation) {
    case .store(let reader, let channel):
      let source = try PackageInput.open(
        path, choices, reportingInstallers: true, cancellation: context.cancellation)
      let digests = ContentDigests(of: source)
      var review = try validator.review(of: source, makeReceiver: digests.makeReceiver)
      review.add(PackageValidator.nameFindings(of: source, at: path))
      review = try builder.measured(review)
      let store = try StoreComparison(of: review, digests.finish(), in: channel, by: reader, context)
      let comparison = Comparison(
        differences: store.differences, updateBytes: store.updateBytes,
        finding: store.finding(for: review.contentVersion), moved: store.moved, updates: store.updates)
      try self.init(path, review, comparison, settings, builder)
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
      let comparison = Comparison(
        differences: update.differences, updateBytes: update.downloadBytes,
        finding: VersionCheck(update.differences).finding)
      try self.init(path, review, comparison, settings, builder)
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
    let changes = try comparison?.differences.map {
      try ChangeSummary($0, updateBytes: comparison?.updateBytes)
    }
    review.add(try builder.budgetFindings(of: review, since: changes))
    self.path = path
    self.review = review
    self.comparison = comparison
    self.settings = settings
    findings = review.findings + [comparison?.finding].compactMap(\.self)
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
}

import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// What `report` finds out about a package or content folder.
struct ReportWork {
  /// With what the content is compared.
  enum Comparison {
    case published(Differences)
    case store(StoreComparison)
  }

  let path: String
  let review: ContentReview
  let weights: ContentWeights
  let comparison: Comparison?
  /// All findings, also those that the settings ignore.
  let findings: [Finding]
  let settings: FolderSettings?

  init(_ path: String, _ options: ComparisonOptions, _ context: CommandContext, _ work: WorkContext) throws {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    let settings = isFolder ? try FolderSettings.load(for: path) : nil
    let choices = settings?.choices() ?? FolderChoices()
    let validator = PackageValidator(context: work)
    if let reader = try options.reader(context) {
      let source = try PackageInput.open(path, choices, judging: true, cancellation: work.cancellation)
      let digests = ContentDigests(of: source)
      var review = try validator.review(of: source, makeReceiver: digests.makeReceiver)
      review.add(PackageValidator.nameFindings(of: source, at: path))
      let comparison = try StoreComparison(
        of: review, digests.finish(), in: options.channel(settings), by: reader, work)
      try self.init(path, review, .store(comparison), settings, work)
    } else {
      // Before the input is, since opening takes memory for its names.
      var published = try options.published.map {
        try OldContent(opening: $0, excluding: [], cancellation: work.cancellation)
      }
      let review = try validator.review(path, choices)
      // It is not in memory any more when the content is weighed.
      let comparison = try published.take().map {
        try Differences(of: $0, with: review, context: work)
      }
      try self.init(path, review, comparison.map(Comparison.published), settings, work)
    }
  }

  private init(
    _ path: String, _ review: ContentReview, _ comparison: Comparison?, _ settings: FolderSettings?,
    _ context: WorkContext
  ) throws {
    self.path = path
    self.review = review
    self.comparison = comparison
    self.settings = settings
    findings = review.findings + [comparison?.finding(for: review)].compactMap(\.self)
    weights = try ContentWeights(of: review, context: context)
  }

  /// What of the settings was of no use.
  var usage: SettingsUsage {
    var usage = SettingsUsage(isForList: false)
    guard let settings else { return usage }
    for finding in findings { _ = settings.reason(for: finding) }
    usage.add(settings, [.exclude, .ignore])
    return usage
  }

  /// What an update from each release of the store transfers; nil if there is no store.
  var updates: [StoreComparison.Update]? {
    if case .store(let comparison) = comparison { comparison.updates } else { nil }
  }
}

extension ReportWork.Comparison {
  /// `version/not-raised` if content changed and the version did not rise.
  fileprivate func finding(for review: ContentReview) -> Finding? {
    switch self {
    case .published(let differences): VersionDemand(differences).finding
    case .store(let comparison): comparison.finding(for: review.contentVersion)
    }
  }
}

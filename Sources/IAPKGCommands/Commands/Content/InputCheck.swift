import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// The check of one input of `validate`, and its comparison with the baseline.
struct InputCheck {
  private let baseline: BaselineSource?
  private let validator: PackageValidator
  private let exclusion: ExclusionOptions

  private var context: WorkContext { validator.context }

  init(_ baseline: BaselineSource?, _ validator: PackageValidator, _ exclusion: ExclusionOptions) {
    self.baseline = baseline
    self.validator = validator
    self.exclusion = exclusion
  }

  /// Adds the report of an input, and the error if its comparison fails.
  ///
  /// - Throws: The error of an unreadable input.
  func run(_ path: String, _ checked: inout CheckedInputs, _ inputs: [CommandInput]) throws {
    let isFolder = path != StandardInput.path && (try? FileSystem.kind(of: path)) == .folder
    if isFolder { try CommandError.refuseFolderOfLinks(path) }
    let settings = isFolder ? try exclusion.settings(of: path) : nil
    checked.settings[path] = settings
    let choices = settings?.choices() ?? FolderChoices()
    context.progress.begin(.checking, path)
    let builder = PackageBuilder(context: context).with(choices)
    let countsUpdate = choices.budget?.update != nil
    let standardInput =
      path == StandardInput.path ? try StandardInput.open(in: context, reportingInstallers: true) : nil
    func open() throws -> any ContentSource {
      try standardInput
        ?? PackageInput.open(path, choices, reportingInstallers: true, cancellation: context.cancellation)
    }
    switch baseline?.content(for: path, opened: standardInput, settings, context.cancellation) {
    case .published(let published):
      // Opened before the input, because opening the input allocates memory for its names.
      let old = Result {
        try PublishedContent(
          opening: published, excluding: exclusion.list, countingUpdate: countsUpdate,
          cancellation: context.cancellation)
      }
      let review = try validator.review(of: open(), named: path)
      try checked.add(path, review, builder, inputs) { try old.get().compare(with: review, by: builder) }
    case .store(let reader, let channel):
      let source = try open()
      let digests = ContentDigests(of: source)
      let review = try validator.review(of: source, named: path, makeReceiver: digests.makeReceiver)
      try checked.add(path, review, builder, inputs) {
        guard review.contentInfo != nil, review.isReadable else { return (nil, nil) }
        let comparison = try StoreComparison(
          of: countsUpdate ? builder.measured(review) : review, digests.finish(), in: channel, by: reader,
          countingUpdates: countsUpdate ? .fromNewest : .none, context)
        return (
          comparison.finding(for: review.contentVersion),
          try comparison.differences.map { try ChangeSummary($0, updateBytes: comparison.updateBytes) }
        )
      }
    case nil:
      let review = try validator.review(of: open(), named: path)
      try checked.add(path, review, builder, inputs) { (nil, nil) }
    }
  }
}

extension PackageValidator {
  /// Reviews an open source and its file name.
  fileprivate func review(
    of source: any ContentSource, named path: String,
    makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> ContentReview {
    var review = try review(of: source, makeReceiver: makeReceiver)
    if path != StandardInput.path { review.add(Self.nameFindings(of: source, at: path)) }
    return review
  }
}

extension CheckedInputs {
  /// Adds the report of an input, with the findings of its comparison and its budget. Adds the error if the comparison
  /// fails.
  fileprivate mutating func add(
    _ path: String, _ review: ContentReview, _ builder: PackageBuilder, _ inputs: [CommandInput],
    comparing: () throws -> (finding: Finding?, changes: ChangeSummary?)
  ) throws {
    var review = review
    var (finding, changes): (Finding?, ChangeSummary?)
    do {
      (finding, changes) = try comparing()
    } catch {
      try add(error, builder.context.cancellation, inputs)
    }
    review.add(try builder.budgetFindings(of: review, since: changes))
    var report = ValidationReport(path: path, review: review)
    if report.kind == .folder, let product = report.productIdentifier { products.add(product, path) }
    if let finding { report = report.adding(finding) }
    self.changes[path] = changes
    reports.append(report)
  }

  /// Adds the error of an input or of the baseline.
  ///
  /// - Throws: Errors that end the run, such as an interruption.
  mutating func add(_ error: any Error, _ cancellation: Cancellation, _ inputs: [CommandInput]) throws {
    let error = CommandError(error, cancellation: cancellation, inputs: inputs)
    if error.status.isInterruption { throw error }
    errors.append(error)
  }
}

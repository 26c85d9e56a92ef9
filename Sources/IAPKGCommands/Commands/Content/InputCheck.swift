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
    switch try baseline?.content(for: path, settings, context.cancellation) {
    case .published(let published):
      // Opened before the input, because opening the input allocates memory for its names.
      let old = Result {
        try Baseline(opening: published, excluding: exclusion.list, cancellation: context.cancellation)
      }
      let review = try validator.review(of: open(path, choices), named: path)
      try checked.add(path, review, context.cancellation, inputs) {
        try PackageComparison.finding(for: review, against: old.get(), context: context)
      }
    case .store(let reader, let channel):
      let source = try open(path, choices)
      let digests = ContentDigests(of: source)
      let review = try validator.review(of: source, named: path, makeReceiver: digests.makeReceiver)
      try checked.add(path, review, context.cancellation, inputs) {
        guard review.contentInfo != nil, source.isReadable else { return nil }
        return try StoreComparison(
          of: review, digests.finish(), in: channel, by: reader, countingUpdates: false, context
        ).finding(for: review.contentVersion)
      }
    case nil:
      try checked.add(
        path, validator.review(of: open(path, choices), named: path), context.cancellation, inputs
      ) { nil }
    }
  }

  private func open(_ path: String, _ choices: FolderChoices) throws -> any ContentSource {
    path == StandardInput.path
      ? try StandardInput.open(in: context, judging: true)
      : try PackageInput.open(path, choices, judging: true, cancellation: context.cancellation)
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
  /// Adds the report of an input, with the finding or the error of its comparison.
  fileprivate mutating func add(
    _ path: String, _ review: ContentReview, _ cancellation: Cancellation, _ inputs: [CommandInput],
    comparing: () throws -> Finding?
  ) throws {
    var report = ValidationReport(path: path, review: review)
    if report.kind == .folder, let product = report.productIdentifier { products.add(product, path) }
    do {
      if let finding = try comparing() { report = report.adding(finding) }
    } catch {
      try add(error, cancellation, inputs)
    }
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

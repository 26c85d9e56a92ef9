package import ContentPackage
package import Installation

// Updates from the origins of products, and fetches that only report.
extension ReleaseFetcher {
  /// The purpose of a fetch or an update of one product.
  package enum Purpose: Sendable {
    /// Installs the product.
    case installation
    /// Reports the plan or the refusal of an installation, or that the version is installed, and changes nothing.
    case dryRun
    /// Reports an available update, and records the catalog.
    case survey
  }

  /// The result of a fetch or an update of one product.
  package enum Outcome: Sendable {
    case fetched(Result)
    /// The plan, and the result of an installation that would be refused. `refusal` is nil if the download would begin.
    case planned(Plan, refusal: PackageInstaller.Result? = nil, notes: SurveyedNotes? = nil)
    /// The store has no newer release.
    case current(CurrentProduct)
  }

  /// The notes of a release that a survey found, or the error of reading them.
  package typealias SurveyedNotes = Swift.Result<ReleaseNotes, any Error>

  /// The deviations of an update from the recorded origin of a product.
  package struct UpdateRequest: Sendable {
    /// The store; if nil, the store of the origin.
    var store: String?
    /// The channel; if nil, the channel of the origin.
    var channel: Channel?
    var appVersion: ContentVersion?
    /// Whether the client takes part in every staged rollout that is not paused.
    var joinsRollouts: Bool
    var purpose: Purpose
    /// The languages in which a survey reads the notes of a release, preferred first.
    var languages: [LanguageTag]

    /// Creates a request, by default without deviations from the origin.
    package init(
      store: String? = nil, channel: Channel? = nil, appVersion: ContentVersion? = nil,
      joiningRollouts joinsRollouts: Bool = false, for purpose: Purpose = .installation,
      languages: [LanguageTag] = []
    ) {
      self.store = store
      self.channel = channel
      self.appVersion = appVersion
      self.joinsRollouts = joinsRollouts
      self.purpose = purpose
      self.languages = languages
    }
  }

  /// Updates a product. The options of the installer can force a reinstallation of the installed version, and allow a
  /// lower version.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - request: The deviations from the origin of the product.
  ///   - installer: The installer of the release.
  ///   - open: Makes the fetcher of a store.
  /// - Returns: The result; a plan if the purpose of the request is only to report.
  /// - Throws: The errors of `open`, `plan` and `fetch`; `FetchError.noOrigin` for a product that was not fetched.
  package static func update(
    _ product: ProductIdentifier, _ request: UpdateRequest, installer: PackageInstaller,
    by open: (_ store: String) throws -> ReleaseFetcher
  ) throws -> Outcome {
    let origin = try ProductOrigin.of(product, in: installer.access)
    guard let store = request.store ?? origin?.store else { throw FetchError.noOrigin(product) }
    let choice = ReleaseChoice(
      channel: request.channel ?? origin?.channel ?? .stable, appVersion: request.appVersion,
      joiningRollouts: request.joinsRollouts)
    let kept: KeptVersion =
      if installer.options.allowDowngrade {
        .none
      } else if installer.options.force || installer.options.layout != nil {
        request.channel != nil ? .newer : .none
      } else {
        request.purpose == .survey ? .presentOrNewer : .completeOrNewer
      }
    let fetcher = try open(store)
    let outcome = try fetcher.fetch(product, choice, keeping: kept, for: request.purpose)
    guard request.purpose == .survey, case .planned(let plan, let refusal, _) = outcome else {
      return outcome
    }
    return .planned(
      plan, refusal: refusal, notes: try fetcher.surveyedNotes(of: plan, for: request.languages))
  }

  /// Reads the notes of a release. Damaged or missing notes do not hide the release.
  private func surveyedNotes(of plan: Plan, for languages: [LanguageTag]) throws -> SurveyedNotes? {
    do {
      return try reader.notes(plan.notes, for: languages).map { .success($0) }
    } catch  where error.concernsObject {
      return .failure(error)
    }
  }

  /// Plans an installation, and performs it if `purpose` is `.installation`.
  ///
  /// - Throws: The errors of `plan` and `fetch`; unless `purpose` is `.survey`, `FetchError.folderMissing`.
  package func fetch(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, keeping kept: KeptVersion, for purpose: Purpose
  ) throws -> Outcome {
    let check = try plan(
      product, choice, resuming: purpose == .installation ? .moving : .counting,
      recording: purpose != .dryRun, keeping: kept)
    switch check {
    case .current(let current):
      if purpose != .survey { try current.requireFolder() }
      if purpose == .installation { try recordUpToDate(current) }
      return .current(current)
    case .fetch(let plan):
      if purpose == .installation { return .fetched(try fetch(plan)) }
      guard purpose == .dryRun else { return .planned(plan.summary) }
      let foreseen = try refusal(of: plan, comparingContent: true)
      if let foreseen, foreseen.outcome == .upToDate {
        return .fetched(result(of: foreseen, by: plan))
      }
      return .planned(plan.summary, refusal: foreseen)
    }
  }
}

import ContentPackage
import Delivery
import Settings
import Support

/// The work of `release` for each folder. An error in one folder does not stop the others.
struct ReleaseWork {
  /// The result for one folder.
  struct Outcome {
    let folder: String
    var result: Result<FolderRelease, CommandError>
    /// The findings in the folder's content that are not ignored.
    let findings: [Finding]
    let suppressed: SuppressedErrors

    var release: FolderRelease? { try? result.get() }
  }

  private let releaser: FolderReleaser
  private let context: CommandContext
  private let inputs: [CommandInput]
  private(set) var outcomes: [Outcome] = []
  /// The sequence number of the catalog; nil without a catalog or in a dry run.
  private(set) var sequence: Int64?

  /// Whether the store has a catalog.
  var hasCatalog: Bool { releaser.catalog != nil }

  /// The settings files that are not read, because other users own them.
  private(set) var skippedSettings: [SettingsLocation] = []

  init(_ releaser: FolderReleaser, _ context: CommandContext, inputs: [CommandInput]) {
    self.releaser = releaser
    self.context = context
    self.inputs = inputs
  }

  /// Compares the folders with the store, and uploads the packages of changed ones.
  ///
  /// - Throws: Errors that end the run, such as an interruption.
  mutating func prepare(
    _ folders: [String], _ settings: ReleaseSettings, _ rules: RuleOptions,
    choosingCompression: Bool
  ) throws {
    skippedSettings = settings.all.flatMap(\.untrustedFiles)
    let releaser = releaser
    try releaser.forEach(folders) { folder in
      let result = try attempt(folder) {
        let settings = try settings.settings(of: folder)
        let choices = settings?.choices(choosingCompression: choosingCompression) ?? FolderChoices()
        return try releaser.prepare(folder, choices) { !rules.reject($0, by: settings) }
      }.mapError { error in
        CommandError(
          error.status, error.message, path: error.path,
          findings: rules.unignored(error.findings, by: try? settings.settings(of: folder)))
      }
      let owner = folders.count > 1 ? folder : nil
      let findings = ((try? result.get().findings) ?? []).about(owner)
      outcomes.append(
        Outcome(
          folder: folder,
          result: owner.map { owner in result.mapError { $0.findings(about: owner) } } ?? result,
          findings: rules.unignored(findings, by: try? settings.settings(of: folder)),
          suppressed: SuppressedErrors(findings, rules, by: [try? settings.settings(of: folder)])))
    }
    let indices = outcomes.indices.filter { outcomes[$0].release?.publication != nil }
    let completed = Result { try releaser.complete(indices.compactMap { outcomes[$0].release }) }
    for (position, index) in indices.enumerated() {
      outcomes[index].result = try attempt(outcomes[index].folder) { try completed.get()[position] }
    }
  }

  /// Raises the versions of folders, and adds all prepared releases to the catalog.
  ///
  /// - Throws: The error that left the catalog unchanged, after a note on each raised folder.
  mutating func finish(_ text: TextOptions) throws {
    var raised: [FolderRelease] = []
    do {
      for (index, outcome) in outcomes.enumerated() {
        guard let release = outcome.release, release.raisedVersion != nil else { continue }
        outcomes[index].result = try attempt(outcome.folder) {
          try releaser.raise(release)
          raised.append(release)
          return release
        }
      }
      let indices = outcomes.indices.filter { outcomes[$0].release != nil }
      let committed = try releaser.commit(indices.compactMap { outcomes[$0].release })
      sequence = committed.sequence
      for (index, result) in zip(indices, committed.releases) {
        // Another publisher released this product first; the other products are released.
        if case .failure = result { note(raised.filter { $0.folder == outcomes[index].folder }, text) }
        outcomes[index].result = try attempt(outcomes[index].folder) { try result.get() }
      }
    } catch {
      note(raised, text)
      throw error
    }
  }

  /// Prints a note on each folder whose version was raised but not published.
  private func note(_ raised: [FolderRelease], _ text: TextOptions) {
    for release in raised {
      let note =
        "\(String(displaying: release.folder.utf8)) was raised to \(release.raisedVersion?.text ?? "") and not published; "
        + "iapkg release publishes it with the next run"
      text.note(note, on: context.console)
    }
  }

  private func attempt(
    _ folder: String, _ work: () throws -> FolderRelease
  ) throws -> Result<FolderRelease, CommandError> {
    do {
      return .success(try work())
    } catch {
      let failure = CommandError(
        error, cancellation: context.cancellation,
        inputs: inputs + [CommandInput(folder, .contentFolder)])
      if failure.status.isInterruption { throw error }
      return .failure(failure.about(folder))
    }
  }
}

extension CommandError {
  /// Returns this error with `folder` as its path, and named in the message.
  fileprivate func about(_ folder: String) -> CommandError {
    let name = String(displaying: folder.utf8)
    let text = message.contains(name) ? message : "\(name): \(message)"
    return CommandError(status, text, path: folder, findings: findings)
  }
}

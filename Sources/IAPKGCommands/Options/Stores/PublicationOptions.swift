import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Support

/// The channel, the app versions, the rollout, the urgency and the description of published releases.
struct PublicationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The channel of the releases. The default is channel in .iapkg.yml, or else 'stable', which clients use by default.",
      valueName: "name"),
    transform: Channel.parse)
  var channel: Channel?

  @Option(
    help: ArgumentHelp("The lowest version of the app that can use the releases.", valueName: "version"))
  var minimumAppVersion: ContentVersion?

  @Option(
    help: ArgumentHelp("The highest version of the app that can use the releases.", valueName: "version"))
  var maximumAppVersion: ContentVersion?

  @Option(
    help: ArgumentHelp(
      "The share of the clients that may install the releases at first, such as 10%; see iapkg rollout.",
      valueName: "share"),
    transform: RolloutShare.parse)
  var rollout: RolloutShare?

  @Option(
    help: ArgumentHelp(
      "The time in which the share of --rollout grows to all clients in seven equal steps, such as 7d or 36h.",
      valueName: "period"))
  var schedule: RolloutPeriod?

  @Flag(help: "Mark the releases as critical: every client gets them at once, and is urged to install them.")
  var critical = false

  @Option(
    help: ArgumentHelp(
      "Mark the releases as critical for clients with an installed version below this one, which skip the rollout.",
      valueName: "version"))
  var criticalBelow: ContentVersion?

  @Option(
    help: ArgumentHelp(
      """
      The notes of the releases for users: a Markdown file (.md) or a text file (.txt) of at most 64 KiB. The option can be \
      repeated for other languages, such as de=NEWS.de.md.
      """, valueName: "language=file"))
  var notes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add this key and value to the releases, for the app. The option can be repeated, for up to 32 keys.",
      valueName: "key=value"))
  var metadata: [String] = []

  @Flag(
    help: """
      Start a new catalog in a store that has lost its catalog.json. The new catalog lacks the earlier releases. \
      Clients refuse it until 'iapkg catalog renew --at-least' raises its sequence number above the last one.
      """)
  var newCatalog = false

  func validate() throws {
    _ = try rolloutPlan
    _ = try NoteFile.files(notes)
    _ = try releaseMetadata
    if let minimumAppVersion, let maximumAppVersion, maximumAppVersion < minimumAppVersion {
      throw ValidationError(
        "--maximum-app-version is \(maximumAppVersion), expected at least --minimum-app-version, \(minimumAppVersion)"
      )
    }
    guard critical else { return }
    if criticalBelow != nil { throw ValidationError("--critical cannot be combined with --critical-below") }
    if rollout != nil {
      throw ValidationError("--critical cannot be combined with --rollout, which critical releases skip")
    }
  }

  /// The paths of the notes.
  var notePaths: [String] { ((try? NoteFile.files(notes)) ?? []).map(\.path) }

  /// Reads the notes, and returns the attributes of the releases.
  ///
  /// - Throws: `FileError` for notes that cannot be read, `ValidationError` for invalid notes, `CommandError` for
  ///   secrets that the rules reject.
  func attributes(
    _ rules: RuleOptions, _ text: TextOptions, in context: CommandContext
  ) throws -> ReleaseAttributes {
    var attributes = ReleaseAttributes()
    attributes.minimumAppVersion = minimumAppVersion
    attributes.maximumAppVersion = maximumAppVersion
    attributes.rollout = try rolloutPlan
    attributes.critical = criticalRelease
    let files = try NoteFile.files(notes)
    attributes.notes = try files.map { try $0.read(context.cancellation) }
    attributes.metadata = try releaseMetadata
    let secrets = secrets(in: attributes, files)
    if rules.reject(secrets) {
      throw CommandError(
        .invalid,
        "the notes and the metadata of releases are public, and iapkg found a secret in them; remove it",
        findings: rules.unignored(secrets))
    }
    for finding in rules.unignored(secrets) {
      text.warn(
        "\(finding.input.map { "\($0): " } ?? "")\(finding.message) [\(finding.rule.rawValue)]",
        on: context.console)
    }
    return attributes
  }

  /// Returns the findings about secrets in the notes, which come from `files`, and in the values of the metadata.
  private func secrets(in attributes: ReleaseAttributes, _ files: [NoteFile]) -> [Finding] {
    zip(files, attributes.notes).flatMap { file, note in
      ContentRecognizer.secretFindings(in: note.bytes).about(file.path)
    }
      + attributes.metadata.values.sorted { $0.key < $1.key }.flatMap { key, value in
        ContentRecognizer.secretFindings(in: Array(value.utf8)).about("--metadata \(key)")
      }
  }

  private var releaseMetadata: ReleaseMetadata {
    get throws {
      var metadata = ReleaseMetadata()
      for pair in self.metadata {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
          throw ValidationError("--metadata is '\(pair.prefix(40))', expected key=value")
        }
        do throws(ReleaseMetadata.InvalidPair) { try metadata.add(String(parts[0]), String(parts[1])) } catch
        {
          throw ValidationError("--metadata: \(error.message)")
        }
      }
      return metadata
    }
  }

  /// The clients for which the releases are critical; nil for none.
  private var criticalRelease: CriticalRelease? {
    critical || criticalBelow != nil ? CriticalRelease(below: criticalBelow) : nil
  }

  /// The rollout of the releases; nil for all clients at once.
  private var rolloutPlan: RolloutPlan? {
    get throws { try RolloutPlan.parse(rollout, named: "--rollout", over: schedule) }
  }
}

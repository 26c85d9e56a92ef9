import ArgumentParser
import ContentPackage
import Delivery

/// The channel, the minimum app version, the rollout and the urgency of published releases.
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

  @Flag(
    help: """
      Start a new catalog in a store that has releases and no catalog.json. The new catalog lacks those releases.
      """)
  var newCatalog = false

  func validate() throws {
    _ = try rolloutPlan
    guard critical else { return }
    if criticalBelow != nil { throw ValidationError("--critical cannot be combined with --critical-below") }
    if rollout != nil {
      throw ValidationError("--critical cannot be combined with --rollout, which critical releases skip")
    }
  }

  /// The clients for which the releases are critical; nil for none.
  var criticalRelease: CriticalRelease? {
    critical || criticalBelow != nil ? CriticalRelease(below: criticalBelow) : nil
  }

  /// The rollout of the releases; nil for all clients at once.
  var rolloutPlan: RolloutPlan? {
    get throws { try RolloutPlan.parse(rollout, named: "--rollout", over: schedule) }
  }
}

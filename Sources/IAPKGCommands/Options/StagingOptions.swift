import ArgumentParser
import Conversion
import Support

/// The options for staging asset packs.
struct StagingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The identifier of the asset pack: letters, digits and hyphens. The default is derived from the product.",
      valueName: "id"))
  var assetPackId: AssetPackIdentifier?

  @Option(
    help: ArgumentHelp("The file that keeps the identifiers of the asset packs.", valueName: "file"),
    completion: .file())
  var assetPacks = AssetPackRegister.defaultName

  @Option(
    help:
      "When the system downloads the asset packs. The default is background-assets in .iapkg.yml, or on-demand."
  )
  var policy: DownloadPolicy.Kind?

  @Option(
    help: ArgumentHelp(
      "With --policy prefetch or essential: the events that begin a download, separated by commas. The default is "
        + "first-installation,subsequent-update.", valueName: "events"), transform: Self.events)
  var on: [DownloadPolicy.Event] = []

  @Option(
    help: """
      A platform of the asset packs. The option can be repeated; the default is background-assets in .iapkg.yml, or iOS.
      """)
  var platform: [AssetPlatform] = []

  @Option(
    help: ArgumentHelp(
      "The maximum number of asset packs of an app. Apple's documentation has said both 100 and 200.",
      valueName: "n"))
  var maxPacks = AssetPackLimits.defaultMaximumPackCount

  func validate() throws {
    if !on.isEmpty, policy == nil || policy == .onDemand {
      throw ValidationError("--on requires --policy prefetch or essential")
    }
    if maxPacks < 1 { throw ValidationError("--max-packs is \(maxPacks), expected 1 or more") }
    if assetPacks.isEmpty { throw ValidationError("--asset-packs is empty, expected a file") }
  }

  /// Returns the first given option that does not apply to packs that are already in a folder; nil for none. With
  /// `allowingPlatforms`, `--platform` applies.
  func givenOption(allowingPlatforms: Bool) -> String? {
    let given = [
      ("--asset-pack-id", assetPackId != nil), ("--asset-packs", assetPacks != AssetPackRegister.defaultName),
      ("--policy", policy != nil), ("--platform", !allowingPlatforms && !platform.isEmpty),
    ]
    return given.first(where: \.1)?.0
  }

  /// The options of the exporter.
  var exporter: AssetPackExporter.Options {
    var options = AssetPackExporter.Options()
    options.policy = policy.map { DownloadPolicy($0, on: on) }
    if !platform.isEmpty { options.platforms = AssetPlatform.allCases.filter(platform.contains) }
    options.maximumPackCount = maxPacks
    options.identifier = assetPackId
    options.registerPath = assetPacks
    return options
  }

  /// Parses a list of events.
  ///
  /// - Throws: `ValidationError` for an invalid list of events.
  private static func events(_ text: String) throws -> [DownloadPolicy.Event] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let event = DownloadPolicy.Event(rawValue: String(word)) else {
        let names = DownloadPolicy.Event.allCases.map(\.rawValue)
        throw ValidationError(
          "--on has '\(String(displaying: word.utf8))', expected \(Suggestion.list(names)), separated by commas"
        )
      }
      return event
    }
  }
}

import ArgumentParser
import Conversion
import SafeFiles
import Support

/// The options for importing on-demand resources.
struct OnDemandOptions: ParsableArguments {
  @Flag(
    help: """
      Read the tags of an Xcode project, or a folder of .assetpack folders that Xcode has built, and make a folder of asset \
      packs for Background Assets.
      """)
  var onDemandResources = false

  @Option(
    help: ArgumentHelp(
      "A platform of the asset packs, for on-demand resources. The option can be repeated; the default is the platforms of "
        + "the target, or iOS."))
  var platform: [AssetPlatform] = []

  private var platforms: [AssetPlatform] { AssetPlatform.allCases.filter(platform.contains) }

  /// Returns whether the command imports `source` as on-demand resources.
  func apply(to source: String?) -> Bool {
    onDemandResources || source.map(OnDemandResources.isBuiltPack) == true
  }

  /// Checks that the other options suit on-demand resources.
  ///
  /// - Throws: `ValidationError`.
  func check(_ command: ImportCommand) throws {
    guard apply(to: command.source) else {
      if !platform.isEmpty { throw ValidationError("--platform is for on-demand resources") }
      return
    }
    guard command.source != nil else {
      throw ValidationError(
        "--on-demand-resources requires an Xcode project or a folder of .assetpack folders")
    }
    guard command.folder != nil else {
      throw ValidationError("on-demand resources become a folder of asset packs; name it with --folder")
    }
    if command.output != nil {
      throw ValidationError("--output cannot be combined with on-demand resources, which become folders")
    }
    if command.stripXcodeKeys {
      throw ValidationError(
        "--strip-xcode-keys is for ContentInfo.plist, which on-demand resources do not have")
    }
  }

  /// Reads the on-demand resources of a source.
  ///
  /// - Throws: `ValidationError` if several targets have tags and none is chosen; the errors of
  ///   `OnDemandResources.init`.
  func read(_ source: String, target: String?, _ cancellation: Cancellation) throws -> OnDemandResources {
    guard ContentImporter.isProject(source) else {
      return try OnDemandResources(builtIn: source, platforms: platforms, cancellation)
    }
    let names = try target.map { [$0] } ?? OnDemandResources.targets(ofProject: source)
    guard names.count == 1 else {
      let list = Suggestion.list(names.map { String(displaying: $0.utf8) })
      throw ValidationError("several targets have tags; choose one with --target \(list)")
    }
    return try OnDemandResources(
      target: names[0], ofProject: source, platforms: platforms,
      cancellation)
  }
}

import ArgumentParser
import ContentPackage
import Delivery

/// Which releases an app gets, and from which catalogs.
struct ReleaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Refuse a catalog that none of the keys in this file signed: a .pub or allowed_signers file of OpenSSH.",
      valueName: "file"))
  var trust: String?

  @Option(
    help: ArgumentHelp(
      "The version of the app. Releases that need a higher one are left out.", valueName: "version"))
  var appVersion: ContentVersion?

  @Flag(help: "Install from a catalog that has expired.")
  var allowExpired = false

  /// A reader of a store, which accepts only catalogs by whom the options trust.
  func reader(of store: String, _ context: CommandContext) throws -> StoreReader {
    let store = try StoreLocation.open(store, cancellation: context.cancellation)
    return StoreReader(store, trusting: try trust.map(TrustedKeys.read))
  }
}

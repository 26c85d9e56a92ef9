import ArgumentParser

/// The options of `run` and `check`. Each can also be an environment variable (`IAPKG_BUNDLE_ID`) or a key in the file
/// of `--config` (`bundle-id`). The command line overrides the variables, which override the file.
///
/// The declarations are the only list of the options. The variables and keys are derived from them.
struct ServerOptions: ParsableArguments {
  @OptionGroup var optionFile: ConfigurationOption

  @Option(help: ArgumentHelp("The store: a folder or s3://bucket/prefix.", valueName: "store"))
  var store: String?

  @Option(help: ArgumentHelp("The bundle identifier of the app.", valueName: "id"))
  var bundleId: String?

  @OptionGroup var listening: ListenOption

  @OptionGroup var ledger: DatabaseOption

  @Option(
    help: ArgumentHelp(
      "The app's Apple ID, which production notifications must name; required unless --testing-root is given.",
      valueName: "n"))
  var appAppleId: String?

  @Flag(help: "Accept sandbox purchases too; the ledger separates them from the others.")
  var allowSandbox = false

  @Flag(help: "Check certificate revocation (OCSP).")
  var onlineChecks = false

  @Option(help: ArgumentHelp("A file with an additional root certificate, DER or PEM.", valueName: "file"))
  var root: String?

  @Option(
    help: ArgumentHelp(
      "A file with a root of 'iapkg-server testing' or Xcode; a holder of its key can buy for free.",
      valueName: "file"))
  var testingRoot: String?

  @Option(help: ArgumentHelp("The file of products: type and credits of each.", valueName: "file"))
  var products: String?

  @Option(
    help: ArgumentHelp(
      "The file of the keys that sign tokens (iapkg-server.keys), made if it is missing.", valueName: "file"))
  var tokenKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with the token of the administrators; without the file, the endpoints for administrators are disabled.",
      valueName: "file"
    ))
  var adminTokenFile: String?

  @Option(
    help: ArgumentHelp(
      "The addresses or networks (10.0.0.0/8) of trusted proxies for X-Forwarded-For, separated by commas.",
      valueName: "addresses"))
  var trustedProxy: String?

  @Option(help: ArgumentHelp("The address that verifies receipts. The default is Apple's.", valueName: "url"))
  var verifyReceiptUrl: String?

  @Option(
    help: ArgumentHelp(
      "The address that verifies sandbox receipts. The default is Apple's.", valueName: "url"))
  var sandboxVerifyReceiptUrl: String?

  @Option(
    help: ArgumentHelp(
      "A file with the app's shared secret, for receipts with subscriptions.", valueName: "file"))
  var sharedSecretFile: String?

  @Option(
    help: ArgumentHelp(
      "The policy for a purchase that another account presents: reject, transfer or share (reject).",
      valueName: "policy"))
  var onOtherAccount: String?

  @Option(
    help: ArgumentHelp(
      "The proof for the account that an appAccountToken names: token or purchase (token). Use purchase if others may know the UUIDs of your customers.",
      valueName: "proof"))
  var accountProof: String?

  @Option(help: ArgumentHelp("The requests per second of an account or address (200).", valueName: "n"))
  var rateLimit: String?

  @Option(help: ArgumentHelp("The maximum burst of requests (1000).", valueName: "n"))
  var rateBurst: String?

  /// The names of the options that the file of `--config` may have.
  static let names = Set(optionNames).subtracting(ConfigurationOption.optionNames)
}

/// The option for the configuration file.
struct ConfigurationOption: ParsableArguments {
  @Option(help: ArgumentHelp("The configuration file, YAML or JSON.", valueName: "file"))
  var config: String?
}

/// The address of the server.
struct ListenOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen on (127.0.0.1:8080); port 0 chooses a free one.", valueName: "address:port"))
  var listen: String?
}

/// The location of the ledger.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An SQLite file (iapkg-server.sqlite) or postgres://…; use IAPKG_DATABASE for an address with a password.",
      valueName: "database"))
  var database: String?
}

import ArgumentParser
import Conversion
import Delivery
import HTTPTransport
import Support

/// The app, the API key and the address for requests to App Store Connect.
struct AppStoreAccountOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The Apple ID of the app, a number that App Store Connect shows on the page App Information.",
      valueName: "id"))
  var app: String?

  @Option(help: ArgumentHelp("The identifier of the API key.", valueName: "id"))
  var keyId: String?

  @Option(
    help: ArgumentHelp(
      "The issuer ID, which App Store Connect shows above the keys of a team. An individual key has none.",
      valueName: "id"))
  var issuerId: String?

  @Option(
    help: ArgumentHelp("The file of the API key, AuthKey_….p8. iapkg never shows it.", valueName: "file"),
    completion: .file())
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "The address of the App Store Connect API, for tests: https, or http on this machine.",
      valueName: "address"))
  var apiUrl: String?

  /// The first missing option among those that every request needs; nil if none is missing.
  var missingOption: String? {
    options.first { ["--app", "--key-id", "--key-file"].contains($0.name) && $0.value == nil }?.name
  }

  /// The names of the options, with their values on the command line.
  var options: [(name: String, value: String?)] {
    [
      ("--app", app), ("--key-id", keyId), ("--issuer-id", issuerId), ("--key-file", keyFile),
      ("--api-url", apiUrl),
    ]
  }

  /// Checks the identifiers.
  ///
  /// - Throws: `ValidationError`.
  func check() throws {
    for (name, value) in options.prefix(3) {
      guard let value, !AppStoreCredentials.isIdentifier(value) else { continue }
      throw ValidationError(
        "\(name) is '\(String(displaying: value.utf8))', expected letters, digits, '-' and '_'")
    }
  }

  /// Returns the client, and prints a note if other users may read the key file.
  ///
  /// - Throws: `StoreError` for the address, and the errors of `AppStoreCredentials.init`.
  func client(_ text: TextOptions, isQuiet: Bool, _ context: CommandContext) throws -> AppStoreClient {
    let credentials = try AppStoreCredentials(keyFile: keyFile ?? "", keyID: keyId ?? "", issuerID: issuerId)
    if credentials.isKeyExposed, !isQuiet {
      text.note(
        "other users may read the key file \(keyFile ?? ""); prevent that with chmod 600",
        on: context.console)
    }
    var network = HTTPSettings.fromEnvironment()
    network.pauseRequest = context.pauseRequest
    return try AppStoreClient(
      apiUrl ?? AppStoreClient.defaultAddress, credentials, network: network,
      cancellation: context.cancellation)
  }
}

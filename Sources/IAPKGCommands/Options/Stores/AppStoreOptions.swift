import ArgumentParser
import Conversion
import Delivery
import HTTPTransport
import Support

/// The app, the API key and the address for requests to App Store Connect.
struct AppStoreOptions: ParsableArguments {
  @Flag(
    help:
      "Download the content that Apple hosts for the in-app purchases of an app, instead of reading a source."
  )
  var fromAppStoreConnect = false

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

  /// Checks that the options name either a source or all that App Store Connect requires.
  ///
  /// - Throws: `ValidationError`.
  func check(_ command: ImportCommand) throws {
    let given = [
      ("--app", app), ("--key-id", keyId), ("--issuer-id", issuerId), ("--key-file", keyFile),
      ("--api-url", apiUrl),
    ]
    guard fromAppStoreConnect else {
      if let (name, _) = given.first(where: { $0.1 != nil }) {
        throw ValidationError("\(name) is for --from-app-store-connect")
      }
      if command.source == nil { throw ValidationError("give a source, or --from-app-store-connect") }
      return
    }
    if command.source != nil { throw ValidationError("give a source or --from-app-store-connect, not both") }
    let needed = given.filter { ["--app", "--key-id", "--key-file"].contains($0.0) }
    for (name, value) in needed + [("--folder", command.folder)] where value == nil {
      throw ValidationError("--from-app-store-connect needs \(name)")
    }
    if command.output != nil {
      throw ValidationError("--from-app-store-connect makes folders, and has no --output")
    }
    for (name, value) in given.prefix(3) {
      guard let value, !AppStoreCredentials.isIdentifier(value) else { continue }
      throw ValidationError(
        "\(name) is '\(String(displaying: value.utf8))', expected letters, digits, '-' and '_'")
    }
  }

  /// - Throws: `StoreError` for the address.
  func client(
    _ credentials: AppStoreCredentials, _ context: CommandContext
  ) throws(StoreError) -> AppStoreClient {
    var network = HTTPSettings.fromEnvironment()
    network.pauseRequest = context.pauseRequest
    return try AppStoreClient(
      apiUrl ?? AppStoreClient.defaultAddress, credentials, network: network,
      cancellation: context.cancellation)
  }

  func credentials() throws -> AppStoreCredentials {
    try AppStoreCredentials(keyFile: keyFile ?? "", keyID: keyId ?? "", issuerID: issuerId)
  }
}

import ArgumentParser
import Delivery
import HTTPTransport
import Support

/// The header fields of every request to a web server.
struct StoreCredentialOptions: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "Send this header field to the web server of the store only. The option can be repeated.",
      valueName: "name: value"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send the token in this file to the web server of the store only (Authorization: Bearer).",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  // The errors of a `transform` would print the value, which may be a secret.
  func validate() throws {
    let names = try parsed.map { $0.name.lowercased() }
    guard tokenFile != nil, names.contains("authorization") else { return }
    throw ValidationError(
      "--token-file cannot be combined with --header 'Authorization: …'")
  }

  private var parsed: [HTTPHeader] { get throws { try header.map(HTTPHeader.parse) } }

  /// Whether requests carry credentials for one server.
  var isGiven: Bool { !header.isEmpty || tokenFile != nil }

  /// Returns the header fields, including the token's.
  ///
  /// - Throws: The errors of `HTTPHeader.bearer`.
  func headers(_ cancellation: Cancellation) throws -> [HTTPHeader] {
    try parsed + [try tokenFile.map { try HTTPHeader.bearer(tokenIn: $0, cancellation) }].compactMap(\.self)
  }
}

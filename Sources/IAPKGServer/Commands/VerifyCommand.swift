import ArgumentParser
import Entitlements
import StrictJSON
import Support

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify one signed transaction or notification.",
    discussion: """
      Writes the payload's JSON as it was signed. For a notification, adds the JSON of its transaction as \
      'transaction'. If the verification fails, writes a JSON document with the reason, and exits with 1.
      """)

  @Argument(
    help: ArgumentHelp(
      "A file with the signed data, or with the body that the App Store posts; - for standard input.",
      valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"))
  var bundleId: String

  @Option(
    help: ArgumentHelp("Sandbox or Production; or Xcode, with its certificate as --root.", valueName: "name"))
  var environment: EnvironmentArgument

  @Option(
    help: ArgumentHelp(
      "The app's Apple ID, which notifications of Production must name.", valueName: "number"))
  var appAppleId: Int64?

  @Option(
    name: .customLong("root"),
    help: ArgumentHelp(
      "A file of roots to trust in addition to Apple Root CA - G3, in PEM or DER.", valueName: "file"))
  var roots: [String] = []

  @Flag(help: "Check certificate revocation (OCSP).")
  var onlineChecks = false

  func run() async throws {
    do {
      let verifier = PurchaseVerifier(try settings())
      try CommandOutput.write(Self.text(of: try await verifier.document(try SignedFile.read(file))))
    } catch let error as VerificationError {
      try CommandOutput.write(Self.text(of: error))
      throw CommandFailure(error.reason == .unavailable ? .unavailable : .invalid, error.message)
    }
  }

  private func settings() throws -> PurchaseVerifier.Settings {
    let given = try roots.flatMap(SignedFile.roots)
    let isLocal = environment.value.isLocal
    var settings = PurchaseVerifier.Settings(
      bundleIdentifier: bundleId, environments: [environment.value], appIdentifier: appAppleId,
      roots: [try RootCertificate.appleRootG3()] + (isLocal ? [] : given), testingRoots: isLocal ? given : [])
    if onlineChecks { settings.onlineChecks = try OnlineChecks() }
    return settings
  }

  /// Returns the exact bytes of the payload, with the transaction added as the last member.
  static func text(of document: VerifiedDocument) -> [UInt8] {
    guard let transaction = document.transaction, let end = document.json.lastIndex(of: UInt8(ascii: "}"))
    else {
      return document.json
    }
    return document.json[..<end] + ",\"transaction\":".utf8 + transaction + document.json[end...]
  }

  static func text(of error: VerificationError) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("command", configuration.commandName)
      writer.member("reason", error.reason.rawValue)
      writer.member("message", error.message)
    }
    return writer.bytes
  }
}

/// An App Store environment on the command line.
struct EnvironmentArgument: ExpressibleByArgument {
  static let known: [StoreEnvironment] = [.sandbox, .production, .xcode, .localTesting]
  static var allValueStrings: [String] { known.map(\.rawValue) }

  let value: StoreEnvironment

  init?(argument: String) {
    guard let value = Self.known.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
      return nil
    }
    self.init(value)
  }

  init(_ value: StoreEnvironment) { self.value = value }

  var defaultValueDescription: String { value.rawValue }
}

/// The standard output of commands that write once.
enum CommandOutput {
  /// Writes a line.
  ///
  /// - Throws: `CommandFailure` if writing fails.
  static func write(_ line: [UInt8]) throws(CommandFailure) {
    guard StandardStream.output.write(line + [UInt8(ascii: "\n")]) else {
      throw CommandFailure(.inputOutput, "cannot write to standard output")
    }
  }
}

import ArgumentParser
import Entitlements
import SafeFiles
import Support

/// The options of all signing commands.
struct SigningOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder that 'testing make-root' made.", valueName: "folder"))
  var certificates: String

  @Option(
    help: ArgumentHelp(
      "The signing date: 2026-11-22T10:00:00Z, or milliseconds since 1970; now by default.",
      valueName: "date"))
  var signedDate: DateArgument?

  /// The date of the signature, in milliseconds since 1970.
  var date: Int64 { signedDate?.milliseconds ?? DateArgument.now.milliseconds }

  /// Reads the signer from the folder of certificates.
  ///
  /// - Throws: `FileError` or `SourceError` if a file cannot be read, `CommandFailure` if its content is invalid.
  func signer() throws -> TestingSigner {
    do {
      return try TestingSigner(folder: certificates)
    } catch let error where !(error is FileError) && !(error is SourceError) {
      throw CommandFailure(
        .invalid,
        "\(String(displaying: certificates.utf8)) has certificates or keys that cannot be read, expected those of "
          + "'iapkg-server testing make-root'")
    }
  }
}

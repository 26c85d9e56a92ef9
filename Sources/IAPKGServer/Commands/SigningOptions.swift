import ArgumentParser
import Entitlements
import SafeFiles
import Support

/// What all commands that sign have in common.
struct SigningOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder that 'testing make-root' made.", valueName: "folder"))
  var certificates: String

  @Option(
    help: ArgumentHelp(
      "When it was signed: 2026-11-22T10:00:00Z, or milliseconds since 1970; now by default.",
      valueName: "date"))
  var signedDate: MomentArgument?

  /// In milliseconds since 1970.
  var date: Int64 { signedDate?.milliseconds ?? MomentArgument.now.milliseconds }

  /// - Throws: `FileError` and `SourceError` for a file that cannot be read, `CommandFailure` for what it holds.
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

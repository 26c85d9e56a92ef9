import ArgumentParser
import Entitlements
import SafeFiles
import SystemPackage

struct MakeRootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-root",
    abstract: "Make certificates and keys for tests, in a chain like the App Store's.",
    discussion: """
      Writes root.pem, intermediate.pem and leaf.pem and a .key for each, for the owner alone, and says where the root \
      is. They are valid from five years ago on for fifteen. A holder of the keys can make purchases where \
      the root is trusted: with --testing-root never those of the production environment.
      """)

  @Argument(help: ArgumentHelp("Where to write; made if it is missing.", valueName: "folder"))
  var folder: String

  func run() async throws {
    do {
      try CommandOutput.write(Array(try TestingCertificates().write(to: folder).utf8))
    } catch let error as FileError where error.operation == .create && error.errno == .fileExists {
      throw CommandFailure(.cannotCreate, "\(error.path) exists, expected a folder without such files")
    }
  }
}

import ArgumentParser
import Entitlements
import SafeFiles
import SystemPackage

struct MakeRootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-root",
    abstract: "Make test certificates and keys, in a chain like the App Store's.",
    discussion: """
      Writes root.pem, intermediate.pem and leaf.pem and a .key for each, readable by the owner only, and prints the \
      path of the root. The certificates are valid for fifteen years, beginning five years ago. A holder of the keys can \
      make purchases that servers with this root accept. Servers with --testing-root accept none for production.
      """)

  @Argument(help: ArgumentHelp("The folder to write to; made if it is missing.", valueName: "folder"))
  var folder: String

  func run() async throws {
    do {
      try CommandOutput.write(Array(try TestingCertificates().write(to: folder).utf8))
    } catch let error as FileError where error.operation == .create && error.errno == .fileExists {
      throw CommandFailure(.cannotCreate, "\(error.path) exists, expected a folder without such files")
    }
  }
}

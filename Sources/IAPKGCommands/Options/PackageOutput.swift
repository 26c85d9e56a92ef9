import ArgumentParser
import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The destination that `--output` names.
enum PackageOutput {
  /// The path that means standard output.
  static let standardOutput = "-"

  /// Checks that the output can receive a package.
  ///
  /// - Throws: `ValidationError` if standard output cannot receive the package.
  static func check(_ output: String?, _ report: some ErrorReporting, isDryRun: Bool) throws {
    guard output == standardOutput else { return }
    if report.reportFormat != .text {
      throw ValidationError(
        "--output - uses standard output, and cannot be combined with --format \(report.reportFormat.rawValue)"
      )
    }
    if !isDryRun, StandardStream.output.isTerminal {
      throw ValidationError("--output - would write to the terminal; redirect standard output")
    }
  }

  /// Checks the name of the output.
  ///
  /// - Throws: `ValidationError` for a package name that `validate` would reject. Devices and other special files are
  ///   reported when the output is created.
  static func checkName(_ output: String?) throws {
    guard let output, output != standardOutput, !EntryPath(output).hasSuffix(PackageLayout.fileExtension)
    else { return }
    if let present = try? FileSystem.status(of: output, followingLinks: true), case .special = present.kind {
      return
    }
    throw ValidationError(
      "--output is \(String(displaying: output.utf8)), expected a name that ends in \(PackageLayout.fileExtension)"
    )
  }

  static func target(_ path: String, replacing: Bool) -> OutputDestination.Target {
    path == standardOutput ? .standardOutput : .file(path, replacing: replacing)
  }
}

extension FormattedReportOptions {
  /// Renders the result of writing `output`. If `output` is standard output, text goes to standard error.
  func render(
    _ document: some ReportDocument, besides output: String?, on console: Console, text: () -> [String]
  ) {
    guard output == PackageOutput.standardOutput else { return render(document, on: console, text: text) }
    if !quiet { text().forEach(console.note) }
  }
}

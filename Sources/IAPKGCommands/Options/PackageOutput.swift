import ArgumentParser
import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Where `--output` puts what a command makes.
enum PackageOutput {
  /// The path that means standard output.
  static let standardOutput = "-"

  /// - Throws: `ValidationError` where standard output cannot take the package.
  static func check(_ output: String?, _ report: some ErrorReporting, isRehearsal: Bool) throws {
    guard output == standardOutput else { return }
    if report.reportFormat != .text {
      throw ValidationError(
        "--output - leaves no room on standard output for --format \(report.reportFormat.rawValue)")
    }
    if !isRehearsal, StandardStream.output.isTerminal {
      throw ValidationError("--output - would write to the terminal; redirect standard output")
    }
  }

  /// - Throws: `ValidationError` for a package's name that `validate` would reject. What is there and cannot be replaced,
  ///   such as a device, is told of when the output is created.
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

  static func target(_ path: String, replacing: Bool) -> OutputPlace.Target {
    path == standardOutput ? .standardOutput : .file(path, replacing: replacing)
  }
}

extension FormattedReportOptions {
  /// Renders a result that was written to `output`: where standard output has got it, people are told on standard error.
  func render(
    _ document: some ReportDocument, besides output: String?, on console: Console, text: () -> [String]
  ) {
    guard output == PackageOutput.standardOutput else { return render(document, on: console, text: text) }
    if !quiet { text().forEach(console.note) }
  }
}

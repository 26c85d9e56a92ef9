import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Warnings and suggestions for likely mistakes.
extension CreateCommand {
  /// Warns if `--contents` names a content folder.
  func warnOfContentFolder(on console: Console) {
    guard let contents, !report.quiet, Self.isContentFolder(contents) else { return }
    let warning =
      "\(String(displaying: contents.utf8)) has a \(PackageLayout.manifest.escaped) and "
      + "\(PackageLayout.contents.escaped) of its own, which become a part of the package's content; "
      + "to pack it as a content folder, omit --contents"
    report.text.warn(warning, on: console)
  }

  /// Returns the end of the message for a folder with neither a manifest nor `Contents`.
  func hint(_ findings: [Finding]) -> String {
    let absences: Set<Rule> = [.manifestMissing, .packageContentsMissing]
    guard contents == nil, absences.isSubset(of: findings.map(\.rule)) else { return "" }
    return "; to pack any folder of files, use --contents"
  }

  /// The end of a message that suggests commands for the content folders in the current folder; empty if there are
  /// none or too many.
  static var suggestion: String {
    let names = (try? DirectoryHandle.open(".").list()) ?? []
    var commands = names.map { String(displaying: $0) }.filter(hasManifest).map { "iapkg create \($0)" }
    // A package must not be written into its own content folder.
    if hasManifest(".") { commands.insert("iapkg create . --output ../Package.pkg", at: 0) }
    return commands.isEmpty || commands.count > Suggestion.maximumCount
      ? "" : "; did you mean \(Suggestion.list(commands))?"
  }

  private static func hasManifest(_ folder: String) -> Bool {
    (try? FileSystem.kind(of: "\(folder)/\(PackageLayout.manifest.escaped)")) == .file
  }

  private static func isContentFolder(_ folder: String) -> Bool {
    hasManifest(folder)
      && (try? FileSystem.kind(of: "\(folder)/\(PackageLayout.contents.escaped)")) == .folder
  }
}

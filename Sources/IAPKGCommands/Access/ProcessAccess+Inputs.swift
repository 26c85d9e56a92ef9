import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

extension ProcessAccess {
  /// Creates the access of a command that reads `inputs` and writes `output`.
  ///
  /// - Parameters:
  ///   - inputs: Packages, content folders (with their settings files), and `-` for standard input.
  ///   - output: A file, `-` for standard output, or a folder for packages if it ends in `/`.
  init(reading inputs: [CommandInput], making output: String? = nil) {
    self.init()
    spool()
    for input in inputs { read(input) }
    if let output { self.output(output) }
  }

  /// Adds an input and, for a folder, its settings files. For a missing input, adds its parent folder, so that an error
  /// can suggest a similar name.
  mutating func read(_ input: CommandInput) {
    guard input.path != StandardInput.path else { return }
    switch try? FileSystem.kind(of: input.path) {
    case nil: list(FileSystem.folder(of: input.path))
    case .folder:
      read(input.path)
      readSettings(of: input.path)
    default: read(input.path)
    }
  }

  /// Adds the settings files of a content folder, which are in that folder or in a parent folder.
  mutating func readSettings(of folder: String) {
    for file in FolderSettings.files(for: folder) { read(file) }
  }

  /// Adds an Xcode project, and the folder with all files that its targets copy.
  mutating func read(project path: String) {
    for path in ContentImporter.inputs(ofProject: path) { read(path) }
  }

  /// Adds an output: a file, or a folder for packages if it ends in `/`. Standard output needs no access of its own.
  mutating func output(_ path: String) {
    guard path != PackageOutput.standardOutput else { return }
    if PackageFolder.isFolderPath(path) { makeFolder(path) } else { make(path) }
  }

  /// Adds the folder of installed products. With `installs`, the command may create the folder.
  mutating func documents(_ options: DocumentsOptions, installs: Bool = false) {
    spool()
    change(options.into, mayVanish: installs && Self.isUnused(options.into))
  }

  /// Returns whether a folder is missing, or has only hidden items. Such a folder may vanish, because a failed run
  /// removes the folder that it created; the command then creates it again.
  static func isUnused(_ folder: String) -> Bool {
    let names = (try? DirectoryHandle.open(folder).list()) ?? []
    return names.allSatisfy { $0.first == UInt8(ascii: ".") }
  }

  /// Adds the file of the GitHub job summary, if the report format is GitHub's.
  mutating func report(_ report: some ErrorReporting) {
    if report.reportFormat == .github, let path = JobSummary.path { append(to: path) }
  }
}

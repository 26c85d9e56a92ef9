import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

extension ProcessAccess {
  /// The access of a command that reads these inputs and writes this output.
  ///
  /// - Parameters:
  ///   - inputs: packages, content folders with the settings that hold for them, and `-` for standard input.
  ///   - output: a file, `-` for standard output, or a folder for packages if it ends in `/`.
  init(reading inputs: [CommandInput], making output: String? = nil) {
    self.init()
    spool()
    for input in inputs { read(input) }
    if let output { self.output(output) }
  }

  /// An input, and the settings that hold for it if it is a folder. Of a missing one, the names beside it are read, since
  /// one of them may be meant.
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

  /// The settings of a content folder, which may lie in it or in a folder above.
  mutating func readSettings(of folder: String) {
    for file in FolderSettings.files(for: folder) { read(file) }
  }

  /// An Xcode project: the folder around it, and what it copies from elsewhere.
  mutating func read(project path: String) {
    for path in ContentImporter.inputs(ofProject: path) { read(path) }
  }

  /// An output of a command: a file, or a folder for packages if it ends in `/`. Standard output gets what was spooled.
  mutating func output(_ path: String) {
    guard path != PackageOutput.standardOutput else { return }
    if PackageFolder.isMeant(by: path) { makeFolder(path) } else { make(path) }
  }

  /// The folder of installed products; with `installs`, it is made if it is missing.
  mutating func documents(_ options: DocumentsOptions, installs: Bool = false) {
    spool()
    // A run that fails takes away the folder that it made, and another one makes it again.
    let names = (try? DirectoryHandle.open(options.into).list()) ?? []
    change(options.into, mayVanish: installs && names.allSatisfy { $0.first == UInt8(ascii: ".") })
  }

  /// The file that gets the summary of a job.
  mutating func report(_ report: some ErrorReporting) {
    if report.reportFormat == .github, let path = JobSummary.path { append(to: path) }
  }
}

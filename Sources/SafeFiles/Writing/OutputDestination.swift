import SystemPackage

/// The destination of an output.
public struct OutputDestination: Sendable {
  /// A file or a stream.
  public enum Target: Sendable, Equatable {
    /// The file at a path, written completely or not at all, and whether it may replace an existing file.
    case file(String, replacing: Bool)
    /// Standard output, which receives nothing before the output is complete.
    case standardOutput
  }

  package let target: Target
  /// Whether the output belongs to a dry run, which writes nothing.
  package let isDryRun: Bool

  package init(_ target: Target, isDryRun: Bool = false) {
    self.target = target
    self.isDryRun = isDryRun
  }

  /// The path of the file; `-` for standard output.
  package var path: String {
    switch target {
    case .file(let path, _): path
    case .standardOutput: "-"
    }
  }

  /// The folder for temporary files: the folder of the output file, or the system's temporary folder for standard
  /// output and dry runs.
  package var spoolFolder: String {
    switch target {
    case .file(let path, _) where !isDryRun: FileSystem.folder(of: path)
    case .file, .standardOutput: FileSystem.temporaryFolder
    }
  }

  /// Throws if the file system of `spoolFolder` reports too little space for `byteCount` bytes.
  ///
  /// - Throws: `FileError` with operation `write` and `.noSpace`; with operation `open` or `inspect` if the space is
  ///   unknown.
  package func checkFreeSpace(for byteCount: Int64) throws(FileError) {
    let freeSpace = try DirectoryHandle.open(spoolFolder).freeSpace()
    guard let shortage = freeSpace.shortage(bytes: byteCount, files: 0) else { return }
    throw FileError(.write, path, .noSpace, detail: shortage)
  }

  /// The same destination, for a dry run.
  package var dryRun: OutputDestination { OutputDestination(target, isDryRun: true) }
}

import SystemPackage

/// The destination of an output.
public struct OutputPlace: Sendable {
  /// A file or a stream.
  public enum Target: Sendable, Equatable {
    /// A file, written completely or not at all.
    case file(String, replacing: Bool)
    /// Standard output, which receives nothing before the output is complete.
    case standardOutput
  }

  package let target: Target
  /// Whether the output is only rehearsed, without writing anything.
  package let isRehearsal: Bool

  package init(_ target: Target, isRehearsal: Bool = false) {
    self.target = target
    self.isRehearsal = isRehearsal
  }

  /// The path of the file; `-` for standard output.
  package var path: String {
    switch target {
    case .file(let path, _): path
    case .standardOutput: "-"
    }
  }

  /// A folder for temporary files on the file system of the output.
  package var spoolFolder: String {
    switch target {
    case .file(let path, _) where !isRehearsal: FileSystem.folder(of: path)
    case .file, .standardOutput: FileSystem.temporaryFolder
    }
  }

  /// Throws if the file system reports too little space for the bytes.
  ///
  /// - Throws: `FileError` with operation `write` and `.noSpace`.
  package func checkRoom(for byteCount: Int64) throws(FileError) {
    let room = try DirectoryHandle.open(spoolFolder).room()
    guard let shortage = room.shortage(bytes: byteCount, files: 0) else { return }
    throw FileError(.write, path, .noSpace, detail: shortage)
  }

  /// The same destination, for a rehearsal.
  package var rehearsal: OutputPlace { OutputPlace(target, isRehearsal: true) }
}

import SystemPackage

/// Where an output is to appear.
public struct OutputPlace: Sendable {
  /// A file or a stream.
  public enum Target: Sendable, Equatable {
    /// A file, whole or not at all.
    case file(String, replacing: Bool)
    /// Standard output, which gets nothing before the whole of it is there.
    case standardOutput
  }

  package let target: Target
  /// Whether everything is tried but nothing is written.
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

  /// A folder on the file system that gets the output, for what is put aside meanwhile.
  package var spoolFolder: String {
    switch target {
    case .file(let path, _) where !isRehearsal: FileSystem.folder(of: path)
    case .file, .standardOutput: FileSystem.temporaryFolder
    }
  }

  /// Refuses bytes for which there is no room, as far as the file system can tell.
  ///
  /// - Throws: `FileError` with operation `write` and `.noSpace`.
  package func checkRoom(for byteCount: Int64) throws(FileError) {
    let room = try DirectoryHandle.open(spoolFolder).room()
    guard let shortage = room.shortage(bytes: byteCount, files: 0) else { return }
    throw FileError(.write, path, .noSpace, detail: shortage)
  }

  /// The same place, where everything is tried but nothing is written.
  package var rehearsal: OutputPlace { OutputPlace(target, isRehearsal: true) }
}

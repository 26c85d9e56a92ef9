import SystemPackage

/// A file without a name, for data too large for memory; it goes with its owner.
package struct SpoolFile: ~Copyable {
  private var file: OutputFile

  /// The bytes written so far.
  package var byteCount: Int64 { file.byteCount }

  /// Makes an empty file in the file system of `folder`.
  ///
  /// - Throws: `FileFailure` with operation `create`.
  package static func create(
    in folder: String = FileSystem.temporaryFolder
  ) throws(FileFailure) -> SpoolFile {
    let descriptor = try attempt(.create, "a temporary file in \(folder)") { () throws(Errno) in
      try withCName(folder.utf8) { path throws(Errno) -> Descriptor in
        if let unnamed = try Platform.openUnnamed(in: path) { return unnamed }
        var name = TemporaryName(
          folder: try POSIX.openPath(path, POSIX.folderFlags),
          name: Array(".iapkg-\(String(UInt64.random(in: .min ... .max), radix: 16))".utf8))
        return try name.create(permissions: 0o600)  // and the name goes here
      }
    }
    return SpoolFile(file: OutputFile(owning: descriptor, path: "a temporary file in \(folder)"))
  }

  private init(file: consuming OutputFile) { self.file = file }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileFailure` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileFailure) { try file.write(bytes) }

  /// Ends the writing; the bytes can be read as long as the result lives.
  ///
  /// - Throws: `FileFailure` with operation `write`.
  package consuming func finish() throws(FileFailure) -> InputFile { try file.reopenedForReading() }
}

import Support
import SystemPackage

/// An output that appears complete or not at all. It is written under a temporary name in the same directory, made
/// durable, and then renamed. An output that is not committed is removed.
package struct StagedOutput: ~Copyable {
  /// The path of the output.
  package let path: String
  /// The temporary name; nil for an output without a name, such as standard output.
  private var temporary: TemporaryName?
  private var file: OutputFile
  /// The path of the folder of the output; empty without a name.
  private let folder: String
  private let name: [UInt8]
  private let isReplacing: Bool
  /// Whether the path did not exist at the start.
  private let isNew: Bool
  private let isDurable: Bool
  /// The number of bytes that would have been written; nil except in a dry run.
  private var countedBytes: Int64?

  /// The number of bytes written so far.
  package var byteCount: Int64 { countedBytes ?? file.byteCount }

  /// Starts an output.
  ///
  /// - Throws: The errors of `create(at:replacing:durable:)`.
  package static func create(at destination: OutputDestination) throws(FileError) -> StagedOutput {
    switch destination.target {
    case .file(let path, let replacing):
      guard destination.isDryRun else { return try create(at: path, replacing: replacing) }
      return try dryRun(at: path, replacing: replacing)
    case .standardOutput:
      var output = try createUnnamed(in: destination.spoolFolder, as: destination.path)
      if destination.isDryRun { output.countedBytes = 0 }
      return output
    }
  }

  /// Throws if an output at `path` would replace an item that it must not replace. Writes nothing.
  ///
  /// - Throws: `FileError` with operation `create`, as `create(at:replacing:durable:)` does.
  package static func check(_ path: String, replacing: Bool) throws(FileError) {
    _ = try target(of: path, replacing: replacing)
  }

  /// Starts a dry run, which checks the folder and opens the folder instead of a file.
  ///
  /// - Throws: `FileError` with operation `create`, as `create(at:replacing:durable:)` does.
  private static func dryRun(at path: String, replacing: Bool) throws(FileError) -> StagedOutput {
    let (finalPath, replaced) = try target(of: path, replacing: replacing)
    let (folderPath, name) = split(finalPath)
    return try attempt(.create, path) { () throws(Errno) -> StagedOutput in
      let folder = try withCName(folderPath) { folder throws(Errno) -> Descriptor in
        let descriptor = try POSIX.openPath(folder, POSIX.folderFlags)
        try POSIX.checkCreating(in: folder)
        return descriptor
      }
      try withEntryName(name) { _ throws(Errno) in }
      var output = StagedOutput(
        path: path, temporary: nil, file: OutputFile(owning: folder, path: path), folder: "", name: name,
        isReplacing: replacing, isNew: replaced == nil, isDurable: false)
      output.countedBytes = 0
      return output
    }
  }

  /// Starts an output that never gets a name, on the file system of `folder`.
  ///
  /// - Throws: `FileError` with operation `create`.
  package static func createUnnamed(
    in folder: String, as name: String = ""
  ) throws(FileError) -> StagedOutput {
    StagedOutput(
      path: name, temporary: nil, file: try SpoolFile.makeFile(in: folder), folder: "", name: [],
      isReplacing: false, isNew: true, isDurable: false)
  }

  /// Converts an unnamed output to an input, which keeps the bytes as long as it exists.
  ///
  /// - Parameter name: The name of the file in messages.
  /// - Returns: The file, open for reading.
  /// - Throws: `FileError` with operation `write`.
  package consuming func finishUnnamed(as name: String) throws(FileError) -> InputFile {
    try file.reopenedForReading(as: name)
  }

  /// Starts an output at `path`.
  ///
  /// A replaced file keeps its permissions. A new file gets 0666 reduced by the umask. If `path` is a link and may be
  /// replaced, the link stays and its target is replaced. Only regular files are replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the output.
  ///   - replacing: Whether an existing file may be replaced.
  ///   - durable: Whether the output must be on stable storage once it is committed.
  ///   - rights: Permissions to add.
  ///   - isPrivate: Whether only the user may read and write the output, regardless of the umask and the replaced file.
  /// - Returns: The empty output.
  /// - Throws: `FileError` with operation `create`: `.fileExists` unless `replacing`; `.isDirectory` for a directory,
  ///   `.notSupported` for a FIFO, socket or device, `.noSuchFileOrDirectory` for a dangling link.
  package static func create(
    at path: String, replacing: Bool, durable: Bool = true, adding rights: UInt16 = 0,
    isPrivate: Bool = false
  ) throws(FileError) -> StagedOutput {
    let (finalPath, replaced) = try target(of: path, replacing: replacing)
    let (folderPath, name) = split(finalPath)
    return try attempt(.create, path) { () throws(Errno) in
      let folder = try withCName(folderPath) { folder throws(Errno) in
        try POSIX.openPath(folder, POSIX.folderFlags)
      }
      TemporaryName.removeAbandoned(in: folder) { TemporaryName.isTemporaryName($0, for: name) }
      var temporary = TemporaryName(folder: folder, name: TemporaryName.temporaryName(for: name))
      try withEntryName(name) { _ throws(Errno) in }  // check the name now instead of after all the work
      // While it is written, other users must not be able to read a file that replaces a private file.
      let file = try temporary.create(permissions: replaced == nil && !isPrivate ? 0o666 : 0o600)
      // Keeps the owner of the replaced file, if the system permits it.
      if let replaced { POSIX.keepOwner(at: finalPath, replaced.identity, for: file.number) }
      if isPrivate {
        try POSIX.setPermissionsIfSupported(0o600, of: file.number)
      } else if let permissions = replaced?.permissions {
        try POSIX.setPermissionsIfSupported((permissions | rights) & 0o777, of: file.number)
      } else {
        try POSIX.addPermissionsIfSupported(rights & 0o777, of: file.number)
      }
      return StagedOutput(
        path: path, temporary: temporary, file: OutputFile(owning: file, path: path),
        folder: String(decoding: folderPath, as: UTF8.self), name: name, isReplacing: replacing,
        isNew: replaced == nil, isDurable: durable)
    }
  }

  /// Returns the path of the file that an output at `path` creates or replaces, and the status of a replaced file.
  ///
  /// - Throws: `FileError` with operation `create`; see `create(at:replacing:durable:)`.
  private static func target(
    of path: String, replacing: Bool
  ) throws(FileError) -> (finalPath: String, replaced: FileStatus?) {
    let existing = try attempt(.create, path) { () throws(Errno) in
      try POSIX.statusIfAny(of: path, followingLinks: false)
    }
    let isLink = existing?.kind == .link
    let replaced = isLink ? try? FileSystem.status(of: path, followingLinks: true) : existing
    if let replaced, replaced.kind != .file {
      throw FileError(
        .create, path, replaced.kind == .folder ? .isDirectory : .notSupported,
        detail: "it is a \(replaced.kind.name), and only a regular file can be replaced")
    }
    guard existing == nil || replacing else { throw FileError(.create, path, .fileExists) }
    let finalPath = isLink ? try resolved(path) : path
    return (finalPath, replaced)
  }

  private init(
    path: String, temporary: consuming TemporaryName?, file: consuming OutputFile, folder: String,
    name: [UInt8], isReplacing: Bool, isNew: Bool, isDurable: Bool
  ) {
    self.path = path
    self.temporary = temporary
    self.file = file
    self.folder = folder
    self.name = name
    self.isReplacing = isReplacing
    self.isNew = isNew
    self.isDurable = isDurable
  }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileError` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileError) {
    guard countedBytes == nil else { return dryRun(Int64(bytes.byteCount)) }
    try file.write(bytes)
  }

  /// Appends the bytes at `range` of `source`; see `OutputFile.copy`.
  package mutating func copy(
    from source: any ByteSource, range: Range<Int64>, _ copied: (Int64) -> Void = { _ in }
  ) throws(SourceError) {
    guard countedBytes == nil else {
      copied(Int64(range.count))
      return dryRun(Int64(range.count))
    }
    try file.copy(from: source, range: range, copied)
  }

  private mutating func dryRun(_ bytes: Int64) { countedBytes = (countedBytes ?? 0) + bytes }

  /// Gives the output its name, or copies it to standard output; does nothing in a dry run.
  ///
  /// - Throws: `FileError` with operation `write` or `synchronize`; with `create`, `.fileExists`, if the name has been
  ///   taken meanwhile and must not be replaced; otherwise with `rename`.
  package consuming func commit() throws(FileError) {
    guard countedBytes == nil else { return }
    guard temporary != nil else { return try file.reopenedForReading().copyToStandardOutput() }
    if isDurable { try file.synchronize() }
    try file.close()
    do throws(Errno) {
      try temporary?.publish(as: name, replacing: isReplacing)
    } catch {
      throw FileError(error == .fileExists ? .create : .rename, path, error)
    }
    guard isDurable else { return }
    do throws(Errno) {
      try temporary?.synchronizeFolder()
    } catch {
      // After an error there must be no file. A replaced file cannot be restored.
      if isNew { temporary?.withdraw(name) }
      throw FileError(.synchronize, path, error)
    }
  }

  /// The result of replacing a file.
  package enum Replacement: Sendable {
    /// Another process has changed the file, and nothing was replaced.
    case refused
    /// The file was replaced; the previous one is nil if the file system cannot exchange files.
    case replaced(ReplacedFile?)
  }

  /// Replaces `original`, from which the output was made, if its path still leads to the same file and the file is
  /// unmodified since it was opened.
  ///
  /// - Returns: The result; in a dry run, a replacement that cannot be restored.
  /// - Throws: The errors of `commit`.
  package consuming func commit(inPlaceOf original: InputFile) throws(FileError) -> Replacement {
    guard countedBytes == nil else { return .replaced(nil) }
    if isDurable { try file.synchronize() }
    try file.close()
    let previous: ReplacedFile?
    do throws(Errno) {
      switch try temporary?.publish(as: name, inPlaceOf: original.status) {
      case .refused, nil: return .refused
      case .renamed: previous = nil
      case .exchanged(let temporary, let new):
        previous = ReplacedFile(folder: folder, name: name, temporary: temporary, new: new)
      }
    } catch {
      throw FileError(.rename, path, error)
    }
    guard isDurable else { return .replaced(previous) }
    do throws(Errno) { try temporary?.synchronizeFolder() } catch {
      let state =
        (try? previous?.restore()) == true
        ? "the previous file was restored, so try again"
        : "the file was replaced, but a power cut may undo that, so do not repeat the change"
      throw FileError(.synchronize, path, error, detail: "\(error); \(state)")
    }
    return .replaced(previous)
  }

  /// Returns the path that a link leads to.
  private static func resolved(_ path: String) throws(FileError) -> String {
    do throws(Errno) {
      return try withCName(path.utf8) { path throws(Errno) in try POSIX.resolve(path) }
    } catch .noSuchFileOrDirectory {
      throw FileError(
        .create, path, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    } catch {
      throw FileError(.create, path, error)
    }
  }

  /// Splits a path into directory and name: `.` and `a` for `a`, `/` and `a` for `/a`.
  private static func split(_ path: String) -> (folder: [UInt8], name: [UInt8]) {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ([UInt8(ascii: ".")], bytes) }
    return (Array(bytes[...slash]), Array(bytes[(slash + 1)...]))
  }
}

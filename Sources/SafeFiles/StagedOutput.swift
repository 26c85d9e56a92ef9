import SystemPackage

/// An output that appears whole or not at all: written under a temporary name beside its place, made durable,
/// and only then given its own name. What is not committed is removed.
package struct StagedOutput: ~Copyable {
  /// The path that was asked for.
  package let path: String
  private var temporary: TemporaryName
  private var file: OutputFile
  private let name: [UInt8]
  private let isReplacing: Bool
  /// Whether there was nothing at the place when it began.
  private let isNew: Bool
  private let isDurable: Bool

  /// The bytes written so far.
  package var byteCount: Int64 { file.byteCount }

  /// Begins an output at `path`.
  ///
  /// A file that is replaced keeps its permissions; a new one has those that the umask leaves of 0666. If `path`
  /// is a link and may be replaced, the link stays and the file that it leads to is replaced. Only regular
  /// files are replaced.
  ///
  /// - Parameters:
  ///   - path: where the output is to appear.
  ///   - replacing: whether a file that is there may be replaced.
  ///   - durable: whether the output is on stable storage once it is committed.
  /// - Returns: the output, still empty.
  /// - Throws: `FileFailure` with operation `create`; `.fileExists` unless `replacing`; `.isDirectory` for a
  ///   folder, `.notSupported` for a device and the like, `.noSuchFileOrDirectory` for a link that leads nowhere.
  package static func create(
    at path: String, replacing: Bool, durable: Bool = true
  ) throws(FileFailure) -> StagedOutput {
    let existing = try attempt(.create, path) { () throws(Errno) in
      try POSIX.statusIfAny(of: path, followingLinks: false)
    }
    guard existing == nil || replacing else { throw FileFailure(.create, path, .fileExists) }
    let place = existing?.kind == .link ? try resolved(path) : path
    let replaced = existing?.kind == .link ? try FileSystem.status(of: place, followingLinks: true) : existing
    if let replaced, replaced.kind != .file {
      throw FileFailure(
        .create, path, replaced.kind == .folder ? .isDirectory : .notSupported,
        detail: "it is a \(replaced.kind.name) already, and only regular files are replaced")
    }
    let (folderPath, name) = split(place)
    return try attempt(.create, path) { () throws(Errno) in
      let folder = try withCName(folderPath) { folder throws(Errno) in
        try POSIX.openPath(folder, POSIX.folderFlags)
      }
      var temporary = TemporaryName(folder: folder, name: Self.temporaryName(for: name))
      try withEntryName(name) { _ throws(Errno) in }  // refuse the name now, not after all the work
      // What replaces a private file must not be readable by others meanwhile.
      let file = try temporary.create(permissions: replaced == nil ? 0o666 : 0o600)
      if let replaced { try POSIX.setPermissions(replaced.permissions & 0o777, of: file.number) }
      return StagedOutput(
        path: path, temporary: temporary, file: OutputFile(owning: file, path: path), name: name,
        isReplacing: replacing, isNew: replaced == nil, isDurable: durable)
    }
  }

  /// Finds out whether an output can be begun at `path`; nothing of it is left.
  ///
  /// - Throws: as `create`.
  package static func probe(at path: String, replacing: Bool) throws(FileFailure) {
    _ = try create(at: path, replacing: replacing)
  }

  private init(
    path: String, temporary: consuming TemporaryName, file: consuming OutputFile, name: [UInt8],
    isReplacing: Bool, isNew: Bool, isDurable: Bool
  ) {
    self.path = path
    self.temporary = temporary
    self.file = file
    self.name = name
    self.isReplacing = isReplacing
    self.isNew = isNew
    self.isDurable = isDurable
  }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileFailure` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileFailure) { try file.write(bytes) }

  /// Appends the bytes at `range` of `source`; see `OutputFile.copy`.
  package mutating func copy(from source: InputFile, range: Range<Int64>) throws(FileFailure) {
    try file.copy(from: source, range: range)
  }

  /// Gives the output its name.
  ///
  /// - Throws: `FileFailure` with operation `write` or `synchronize`; with `create`, `.fileExists`, if the
  ///   name has been taken meanwhile and may not be; otherwise with `rename`.
  package consuming func commit() throws(FileFailure) {
    if isDurable { try file.synchronize() }
    try file.close()
    do throws(Errno) {
      try temporary.publish(as: name, replacing: isReplacing)
    } catch {
      throw FileFailure(error == .fileExists ? .create : .rename, path, error)
    }
    guard isDurable else { return }
    do throws(Errno) {
      try temporary.synchronizeFolder()
    } catch {
      // Whoever is told that it failed must not find a file; one that was replaced cannot be brought back.
      if isNew { temporary.withdraw(name) }
      throw FileFailure(.synchronize, path, error)
    }
  }

  /// The place that a link leads to.
  private static func resolved(_ path: String) throws(FileFailure) -> String {
    do throws(Errno) {
      return try withCName(path.utf8) { path throws(Errno) in try POSIX.resolve(path) }
    } catch .noSuchFileOrDirectory {
      throw FileFailure(
        .create, path, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    } catch {
      throw FileFailure(.create, path, error)
    }
  }

  /// The folder and the name of a path: `.` and `a` of `a`, `/` and `a` of `/a`.
  private static func split(_ path: String) -> (folder: [UInt8], name: [UInt8]) {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ([UInt8(ascii: ".")], bytes) }
    return (Array(bytes[...slash]), Array(bytes[(slash + 1)...]))
  }

  /// A hidden name that nothing else has, and that tells what it is if a power cut leaves it behind.
  private static func temporaryName(for name: [UInt8]) -> [UInt8] {
    let suffix = ".iapkg-" + String(UInt64.random(in: .min ... .max), radix: 16)
    return Array(".".utf8) + name.prefix(maximumNameLength - 1 - suffix.utf8.count) + Array(suffix.utf8)
  }
}

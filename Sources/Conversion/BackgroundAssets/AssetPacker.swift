package import ContentPackage
import Delivery
import SafeFiles
package import Support
import Synchronization
package import ZipArchive

/// Makes the archives of asset packs with Apple's `ba-package`, several at a time.
package struct AssetPacker: Sendable {
  /// The name of Apple's program.
  package static let defaultTool = "ba-package"

  /// The archive of a pack.
  package struct Archive: Sendable {
    /// The outcome for a pack: a new archive, or the existing archive of the same content.
    package enum Outcome: String, Sendable { case packed, unchanged }

    /// The name of the pack's folder.
    package let folder: EntryPath
    package let identifier: String
    package let path: String
    /// The size in bytes; 0 for an archive that a dry run would make.
    package let byteCount: Int64
    /// The digest; zero for an archive that a dry run would make.
    package let digest: SHA256Digest
    package let outcome: Outcome
  }

  /// A pack for which `ba-package` made no archive.
  package struct Failure: Sendable {
    package let folder: EntryPath
    /// The reason; not safe to print.
    package let message: String
  }

  private let program: String
  private let isRepacking: Bool
  private let replacesUnmanagedArchives: Bool
  private let context: WorkContext
  private let lock: AssetPackFolderLock

  /// Creates a packer.
  ///
  /// - Parameters:
  ///   - program: The absolute path of the program; see `locate`.
  ///   - isRepacking: Whether to pack unchanged packs again.
  ///   - replacesUnmanagedArchives: Whether archives are replaced that iapkg did not make, or that were changed since.
  ///   - context: The number of threads; its progress counts the selected bytes.
  ///   - lock: The lock of the folder, which the packer keeps after packing.
  package init(
    program: String, repacking isRepacking: Bool = false,
    replacingUnmanagedArchives replacesUnmanagedArchives: Bool,
    context: WorkContext, lock: AssetPackFolderLock
  ) {
    self.program = program
    self.isRepacking = isRepacking
    self.replacesUnmanagedArchives = replacesUnmanagedArchives
    self.context = context
    self.lock = lock
  }

  /// Locks the folder of a project. The caller locks the folder before it reads the project.
  ///
  /// - Throws: `InputBusy` if another process stages or packs in the folder; `FileError`.
  package func lock(_ path: String) throws { try lock.acquire(path) }

  /// Returns the absolute path of the program, which is searched for in `PATH` if its name has no slash.
  ///
  /// - Throws: `AssetPackToolMissing`.
  package static func locate(_ tool: String) throws(AssetPackToolMissing) -> String {
    let folders =
      tool.contains("/")
      ? [""] : (ProcessEnvironment.value("PATH") ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      guard let path = try? FileSystem.resolved(folder.isEmpty ? tool : FileSystem.joined(folder, tool)),
        FileSystem.isProgram(path)
      else { continue }
      return path
    }
    throw AssetPackToolMissing(tool: tool)
  }

  /// Makes the archives of the packs that have changed.
  ///
  /// - Parameters:
  ///   - project: The project, whose packs must be valid.
  ///   - isDryRun: Whether nothing is packed; an archive that would be packed is `packed`, with an empty digest.
  /// - Returns: The archives and the failures, sorted by the names of the folders.
  /// - Throws: `UnmanagedAssetPack` for an archive that must not be replaced, before any is made; `InputBusy` if
  ///   another process packs in the folder; `FileError`, `SourceError`, `Interruption`. Finished archives stay.
  package func pack(
    _ project: AssetPackProject, dryRun isDryRun: Bool = false
  ) throws -> (archives: [Archive], failures: [Failure]) {
    let folder = try DirectoryHandle.open(project.path)
    if !isDryRun {
      try lock(project.path)
      try Self.removeAbandoned(in: folder)
    }
    let record = try AssetPackRecord.readToUpdate(in: folder)
    if !replacesUnmanagedArchives {
      try WorkerPool.forEach(count: project.packs.count, jobs: context.jobs) {
        { index in
          try record.checkArchive(
            of: project.packs[index].name.escaped, in: project.path, self.context.cancellation)
        }
      }
    }
    let state = Mutex((record: record, failures: [Failure]()))
    context.progress.begin(
      .packing, project.path, totalBytes: SizeRules.sum(project.packs.lazy.map(\.selection.byteCount)))
    let archives: [Archive]
    do {
      archives = try WorkerPool.collect(count: project.packs.count, jobs: context.jobs) {
        { index in
          let pack = project.packs[index]
          let name = pack.name.escaped
          do {
            let (archive, made) = try self.archive(
              of: pack, in: project.path, known: record.entries[name]?.archive, isDryRun
            ) { digest in
              // Recorded before the archive gets its name, so that the next run recognizes the archive even if this run
              // stops here.
              try state.withLock { state in
                state.record.entries[name, default: AssetPackRecord.Entry()].nextArchive = digest
                try state.record.write(in: project.path)
              }
            }
            if let made {
              state.withLock { state in
                state.record.entries[name, default: AssetPackRecord.Entry()].archive = made
                state.record.entries[name]?.nextArchive = nil
              }
            }
            self.context.progress.advance(by: pack.selection.byteCount)
            return [archive]
          } catch let failure as ToolFailure {
            state.withLock { $0.failures.append(Failure(folder: pack.name, message: failure.message)) }
            return []
          }
        }
      }
    } catch {
      if !isDryRun { try? state.withLock { $0.record }.write(in: project.path) }
      throw error
    }
    let (now, failures) = state.withLock { $0 }
    if !isDryRun, now != record { try now.write(in: project.path) }
    return (
      archives.sorted { $0.folder < $1.folder }, failures.sorted { $0.folder < $1.folder }
    )
  }

  /// Returns the archive of a pack and its record, after packing the pack if it has changed. Calls `announce` with the
  /// digest of a new archive before the archive gets its name.
  private func archive(
    of pack: AssetPackProject.Pack, in folder: String, known: AssetPackRecord.Archive?, _ isDryRun: Bool,
    announcing announce: (SHA256Digest) throws -> Void
  ) throws -> (Archive, AssetPackRecord.Archive?) {
    let path = FileSystem.joined(folder, pack.name.escaped + ".aar")
    let source = try AssetPackSource(of: pack, in: folder, context.cancellation)
    let digest = try source.digest(context.cancellation)
    let identifier = pack.manifest?.identifier ?? ""
    if !isRepacking, let known, known.source == digest,
      try Self.isRecorded(known, at: path, context.cancellation)
    {
      let archive = Archive(
        folder: pack.name, identifier: identifier, path: path, byteCount: known.byteCount,
        digest: known.digest, outcome: .unchanged)
      return (archive, known)
    }
    guard !isDryRun else {
      let archive = Archive(
        folder: pack.name, identifier: identifier, path: path, byteCount: 0, digest: .none, outcome: .packed)
      return (archive, known)
    }
    let made = try run(on: pack, source, digest, in: folder, announcing: announce)
    let archive = Archive(
      folder: pack.name, identifier: identifier, path: path, byteCount: made.byteCount, digest: made.digest,
      outcome: .packed)
    return (archive, made)
  }

  /// Runs the program, and gives its archive the name of the pack.
  private func run(
    on pack: AssetPackProject.Pack, _ source: AssetPackSource, _ digest: SHA256Digest, in folder: String,
    announcing announce: (SHA256Digest) throws -> Void
  ) throws -> AssetPackRecord.Archive {
    let parent = try DirectoryHandle.open(folder)
    let name = Array((Self.temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16)).utf8)
    PendingCleanup.begin()
    defer { PendingCleanup.end() }
    let temporary = try parent.makeFolder(name, permissions: 0o700)
    defer { try? parent.removeTree(name) }
    // The program resolves relative paths against the source root, so these paths are absolute.
    let archiveName = Array((pack.name.escaped + ".aar").utf8)
    let output = FileSystem.joined(try FileSystem.resolved(temporary.path), pack.name.escaped + ".aar")
    let directory = try FileSystem.resolved(source.folder)
    let manifest = FileSystem.joined(directory, AssetPackManifest.fileName)
    // The shell only sets the working directory.
    let outcome = try ChildProcess.run(
      ["/bin/sh", "-c", #"cd -- "$0" && exec "$@""#, directory, program, manifest, "-o", output], input: [],
      mayPrompt: false, variables: [:], cancellation: context.cancellation)
    guard outcome.code == 0 else { throw ToolFailure(message: Self.message(outcome)) }
    guard let file = try? temporary.openFile(archiveName), file.byteCount > 0 else {
      throw ToolFailure(message: "the program made no archive")
    }
    if let reason = try AssetPackArchives.defect(of: file) {
      throw ToolFailure(message: "the program made an invalid archive: \(reason)")
    }
    guard try source.isUnchanged(context.cancellation) else { throw SourceError.changed(source.folder) }
    let archive = try Self.digest(of: file, context.cancellation)
    try announce(archive)
    try temporary.rename(archiveName, to: archiveName, in: parent, mode: .replace)
    try parent.synchronize()
    return AssetPackRecord.Archive(source: digest, digest: archive, byteCount: file.byteCount)
  }

  /// The start of the names of folders for unfinished archives.
  private static let temporaryPrefix = ".iapkg-packing-"

  /// Removes the folders that killed processes left; the caller holds the lock of the folder.
  private static func removeAbandoned(in folder: borrowing DirectoryHandle) throws(FileError) {
    for name in try folder.list() where name.starts(with: temporaryPrefix.utf8) {
      try folder.removeTree(name)
    }
  }

  /// Returns whether an archive is the recorded one.
  private static func isRecorded(
    _ archive: AssetPackRecord.Archive, at path: String, _ cancellation: Cancellation
  ) throws -> Bool {
    guard let file = try? InputFile.openUnlinked(path), file.byteCount == archive.byteCount else {
      return false
    }
    return try digest(of: file, cancellation) == archive.digest
  }

  static func digest(of file: any ByteSource, _ cancellation: Cancellation) throws -> SHA256Digest {
    var hasher = SHA256Hasher()
    let isComplete = try file.forEachBlock { block in
      try cancellation.check()
      hasher.update(block)
    }
    guard isComplete else { throw SourceError.endedEarly(file.name) }
    return hasher.finish()
  }

  /// The maximum number of characters of the program's output in a message.
  private static let maximumMessageLength = 500

  private static func message(_ outcome: ChildProcess.Outcome) -> String {
    let end =
      outcome.code < 0 ? "it was terminated by signal \(-outcome.code)" : "it exited with \(outcome.code)"
    let text = String(decoding: outcome.errors.isEmpty ? outcome.output : outcome.errors, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter {
      !$0.allSatisfy(\.isWhitespace)
    }
    let reported = lines.suffix(3).joined(separator: " / ").prefix(maximumMessageLength)
    return reported.isEmpty ? end : "\(end): \(reported)"
  }
}

/// A run of the program that made no usable archive.
private struct ToolFailure: Error { let message: String }

/// The error if there is no executable file for Apple's `ba-package`.
package struct AssetPackToolMissing: Error {
  /// The name or path; not safe to print.
  package let tool: String
}

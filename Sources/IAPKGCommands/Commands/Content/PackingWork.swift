import ContentPackage
import Conversion
import SafeFiles
import Support
import ZipArchive

/// The packing of asset packs for `export --pack`.
struct PackingWork {
  private let command: ExportCommand
  private let program: String
  private let folder: String
  /// The folder names of the packs to pack; nil for all packs.
  private let names: Set<String>?
  private let context: WorkContext
  private let lock: AssetPackFolderLock

  init(
    _ command: ExportCommand, by program: String, in folder: String, only names: Set<String>?,
    _ context: WorkContext, holding lock: AssetPackFolderLock
  ) {
    self.command = command
    self.program = program
    self.folder = folder
    self.names = names
    self.context = context
    self.lock = lock
  }

  /// Packs the packs that have changed.
  ///
  /// - Throws: `CommandError` for packs that are not valid, that `ba-package` refuses, or that exceed the limit of an
  ///   app.
  func pack() throws -> [AssetPacker.Archive] {
    let packer = AssetPacker(
      program: program, repacking: command.packing.repack, replacingUnmanagedArchives: command.packing.force,
      context: context, lock: lock)
    if !command.dryRun { try packer.lock(folder) }
    let project = try AssetPackProject.read(folder, context.cancellation)
    try command.check(project)
    let inputs = command.packInputs
    for pack in project.only(names).packs {
      try inputs.check(FileSystem.joined(folder, pack.name.escaped + ".aar"))
    }
    let (archives, failures) = try packer.pack(project.only(names), dryRun: command.dryRun)
    guard failures.isEmpty else {
      let messages = failures.map { "\($0.folder.escaped): \($0.message)" }.joined(separator: "; ")
      let done = archives.isEmpty ? "" : "; \(Quantity.count(archives.count, "other archive")) kept"
      throw CommandError(.invalid, "ba-package made no archive of \(messages)\(done)", path: folder)
    }
    let now = try AssetPackProject.read(folder, context.cancellation)
    try command.check(now)
    return archives
  }
}

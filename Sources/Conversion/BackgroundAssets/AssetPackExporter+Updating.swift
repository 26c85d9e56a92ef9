import ContentPackage
import SafeFiles
import Support
import SystemPackage

/// The update of a folder that may already contain packs.
extension AssetPackExporter {
  /// Verifies that the folders and archives of packs may be replaced.
  ///
  /// - Parameters:
  ///   - packs: The packs to stage and pack.
  ///   - path: The folder of the asset packs, which may be missing.
  /// - Throws: `UnmanagedAssetPack`, `OutputConflict`; `FileError`, `SourceError`, `Interruption`.
  package func checkReplaceable(_ packs: [Pack], in path: String) throws {
    try checkInputs(packs, in: path)
    guard try FileSystem.status(of: path, followingLinks: true) != nil else { return }
    let record = try AssetPackRecord.readToUpdate(in: DirectoryHandle.open(path))
    for name in packs.map(\.identifier.text) {
      try Self.checkPack(FileSystem.joined(path, name))
      guard !options.replacesUnmanagedPacks else { continue }
      try record.checkFolder(name, in: path, context.cancellation)
      try record.checkArchive(of: name, in: path, context.cancellation)
    }
  }

  /// Verifies that neither the folders nor the archives of packs replace an input.
  ///
  /// - Throws: `OutputConflict`; `FileError`.
  func checkInputs(_ packs: [Pack], in path: String) throws {
    for name in packs.map(\.identifier.text) {
      try options.protectedInputs.checkReplacing(FileSystem.joined(path, name))
      try options.protectedInputs.check(FileSystem.joined(path, name + ".aar"))
    }
  }

  /// Verifies that the item at `path` is missing, an empty folder or an asset pack. A link is refused.
  private static func checkPack(_ path: String) throws {
    guard let status = try FileSystem.status(of: path, followingLinks: false) else { return }
    guard status.kind == .folder else {
      throw FileError(
        .create, path, .notDirectory, detail: "it is a \(status.kind.name), expected a folder")
    }
    let folder = try DirectoryHandle.open(path)
    guard try folder.isEmpty() || folder.status(of: AssetPackManifest.fileName.utf8) != nil else {
      throw FileError(
        .create, path, .directoryNotEmpty,
        detail: "it has no \(AssetPackManifest.fileName), expected an asset pack or an empty folder")
    }
  }

  /// Stages each pack into the locked folder at `path`, atomically.
  func update(_ contents: [(pack: Pack, review: ContentReview)], in path: String) throws {
    try checkReplaceable(contents.map(\.pack), in: path)
    var record = try AssetPackRecord.readToUpdate(in: DirectoryHandle.open(path))
    let before = record
    for (pack, review) in contents {
      let name = pack.identifier.text
      let staged = try StagedFolder.create(
        at: FileSystem.joined(path, name), replacing: true, cancellation: context.cancellation)
      try stage(pack, review, into: staged.handle.reopened())
      try context.cancellation.check()
      let digest = try AssetPackRecord.digest(of: staged.handle.reopened(), context.cancellation)
      // Recorded before the folder gets its name, so that the next run recognizes the folder even if this run stops
      // here.
      if record.entries[name, default: AssetPackRecord.Entry()].staged.insert(digest).inserted {
        try record.write(in: path)
      }
      try staged.commit()
      record.entries[name]?.staged = [digest]
    }
    if record != before { try record.write(in: path) }
  }
}

package import ContentPackage
import SafeFiles
package import Support
package import ZipArchive

/// A folder of asset packs: for each pack a folder with `Manifest.json`, and an archive beside it if it is packed.
package struct AssetPackProject: Sendable {
  /// The folder of a pack.
  package struct Pack: Sendable {
    /// The name of the folder.
    package let name: EntryPath
    /// The manifest; nil if it is not valid.
    package let manifest: AssetPackManifest?
    /// The selected files; empty without a valid manifest.
    package let selection: AssetPackSelection
    /// The size of the archive in bytes; nil if there is none.
    package let archiveBytes: Int64?
    /// The defects of the manifest and its selectors.
    package let findings: [Finding]
  }

  /// The path of the folder.
  package let path: String
  /// The packs, sorted by the names of their folders.
  package let packs: [Pack]

  /// Reads all packs of the folder at `path`.
  ///
  /// - Throws: `NoAssetPacks` if there is no pack, unless `mayBeEmpty`; `FileError`, `SourceError`, `Interruption`.
  package static func read(
    _ path: String, mayBeEmpty: Bool = false, _ cancellation: Cancellation
  ) throws -> AssetPackProject {
    let folder = try DirectoryHandle.open(path)
    var packs: [Pack] = []
    for name in try folder.list() where name.first != UInt8(ascii: ".") {
      guard try folder.status(of: name)?.kind == .folder else { continue }
      try cancellation.check()
      let pack = try folder.openFolder(name)
      guard try pack.status(of: AssetPackManifest.fileName.utf8)?.kind == .file else { continue }
      packs.append(try Pack(EntryPath(bytes: name), pack, in: folder, cancellation))
    }
    guard mayBeEmpty || !packs.isEmpty else {
      throw NoAssetPacks(path: path)
    }
    return AssetPackProject(path: path, packs: packs)
  }
}

extension AssetPackProject.Pack {
  fileprivate init(
    _ name: EntryPath, _ folder: borrowing DirectoryHandle, in parent: borrowing DirectoryHandle,
    _ cancellation: Cancellation
  ) throws {
    let manifestPath = name.appending(AssetPackManifest.fileName)
    let archive = Array(name.bytes) + Array(".aar".utf8)
    let status = try parent.status(of: archive)
    let archiveBytes = status.flatMap { $0.kind == .file ? $0.size : nil }
    let file = try folder.openFile(AssetPackManifest.fileName.utf8)
    do throws(AssetPackManifestError) {
      guard name.string == name.escaped else {
        throw AssetPackManifestError("the name of the folder is not UTF-8 or has control characters")
      }
      guard file.byteCount <= Int64(AssetPackManifest.maximumByteCount) else {
        throw AssetPackManifestError(
          "the file has \(file.byteCount) bytes, expected at most \(AssetPackManifest.maximumByteCount)")
      }
    } catch {
      self.init(name, invalid: error, at: manifestPath, archiveBytes)
      return
    }
    let bytes = try file.bytes(at: 0, count: AssetPackManifest.maximumByteCount)
    let manifest: AssetPackManifest
    do throws(AssetPackManifestError) {
      manifest = try AssetPackManifest(bytes: bytes)
    } catch {
      self.init(name, invalid: error, at: manifestPath, archiveBytes)
      return
    }
    var root = folder.path
    if let source = manifest.sourceRoot { root = FileSystem.joined(root, source) }
    let isFolder = (try? FileSystem.kind(of: root)) == .folder
    var found: [FileTree.Item] = []
    if isFolder {
      guard let items = try FileTree.open(root).items(for: manifest.selectors, cancellation) else {
        let error = AssetPackManifestError(
          "the source root '\(String(displaying: (manifest.sourceRoot ?? ".").utf8))' has more than "
            + "\(AssetPackLimits.maximumSourceItemCount) files and folders to search; name a folder closer to the "
            + "files of the pack"
        )
        self.init(name, invalid: error, at: manifestPath, archiveBytes)
        return
      }
      found = items
    }
    let items = found.map { item in
      SelectableItem(
        path: EntryPath(bytes: item.relativePath), isFolder: item.status.kind == .folder,
        size: item.status.size
      )
    }
    let selection = try AssetPackSelection(manifest.selectors, to: items, cancellation)
    let itemFindings =
      isFolder ? try AssetPackItemRules.findings(for: selection, among: found, in: root, of: name) : []
    self.init(
      name: name, manifest: manifest, selection: selection, archiveBytes: archiveBytes,
      findings: AssetPackRules.findings(for: manifest, selection, at: manifestPath) + itemFindings)
  }

  private init(
    _ name: EntryPath, invalid error: AssetPackManifestError, at manifestPath: EntryPath,
    _ archiveBytes: Int64?
  ) {
    self.init(
      name: name, manifest: nil, selection: AssetPackSelection(), archiveBytes: archiveBytes,
      findings: [Finding(.assetPackManifest, at: manifestPath, error.message)])
  }
}

extension AssetPackProject {
  /// Applies every rule.
  ///
  /// - Parameter maximumPackCount: The maximum number of asset packs of an app.
  /// - Returns: The sizes and all findings.
  package func report(maximumPackCount: Int) -> ValidationReport {
    let findings = packs.flatMap(\.findings) + AssetPackRules.findings(for: packs, maximumPackCount)
    return ValidationReport(
      path: path, kind: .assetPacks,
      archiveBytes: packs.contains { $0.archiveBytes == nil }
        ? nil : SizeRules.sum(packs.lazy.compactMap(\.archiveBytes)),
      contentBytes: SizeRules.sum(packs.lazy.map(\.selection.byteCount)),
      entries: packs.reduce(0) { $0 + $1.selection.sources.count }, findings: findings)
  }
}

extension AssetPackProject {
  /// The platforms of all packs, in the order of their cases.
  package var platforms: [AssetPlatform] {
    AssetPlatform.allCases.filter { platform in
      packs.contains { $0.manifest?.platforms.contains(platform) == true }
    }
  }

  /// Returns the project without the packs that have one of these identifiers.
  package func without(_ identifiers: Set<String>) -> AssetPackProject {
    AssetPackProject(
      path: path,
      packs: packs.filter { pack in pack.manifest.map { !identifiers.contains($0.identifier) } ?? true })
  }

  /// Returns the project as it will be after `packs` are staged into its folder.
  package func replacing(_ packs: [AssetPackExporter.Pack]) -> AssetPackProject {
    let names = Set(packs.map(\.identifier.text))
    let staged = packs.map { pack in
      Pack(
        name: EntryPath(pack.identifier.text), manifest: pack.manifest, selection: pack.selection,
        archiveBytes: nil, findings: [])
    }
    return AssetPackProject(
      path: path,
      packs: (self.packs.filter { !names.contains($0.name.escaped) } + staged).sorted { $0.name < $1.name })
  }

  /// Returns the project with only the packs in these folders; all of them for nil.
  package func only(_ names: Set<String>?) -> AssetPackProject {
    guard let names else { return self }
    return AssetPackProject(path: path, packs: packs.filter { names.contains($0.name.escaped) })
  }
}

extension AssetPackProject {
  /// Returns the source roots of the packs in a folder, which may lie outside of it; empty for a folder that is missing
  /// or has no valid manifest.
  package static func sourceRoots(in path: String) -> [String] {
    manifests(in: path).compactMap { folder, manifest in
      manifest.sourceRoot.map { FileSystem.joined(folder, $0) }
    }
  }

  /// Returns the folders of packs with a valid manifest, without reading their content; empty for a folder that is
  /// missing.
  package static func manifests(in path: String) -> [(folder: String, manifest: AssetPackManifest)] {
    let names = (try? DirectoryHandle.open(path).list()) ?? []
    return names.compactMap { name in
      let folder = FileSystem.joined(path, String(decoding: name, as: UTF8.self))
      let manifestPath = FileSystem.joined(folder, AssetPackManifest.fileName)
      guard let bytes = try? AssetPackFile.bytes(manifestPath, atMost: AssetPackManifest.maximumByteCount),
        let manifest = try? AssetPackManifest(bytes: bytes)
      else { return nil }
      return (folder, manifest)
    }
  }
}

/// A folder without asset packs where some are expected.
package struct NoAssetPacks: Error {
  package let path: String
}

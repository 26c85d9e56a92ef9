#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support

/// Verifies that a store has the archives of its download manifest.
package struct AssetPackVerifier: Sendable {
  /// The state of one archive.
  package enum State: Sendable, Equatable {
    case intact
    /// The store lacks the archive, or its address is not that of an archive in the store.
    case missing
    /// The archive does not match its name or its entry in the manifest.
    case wrong
  }

  /// A pack of the manifest.
  package struct Pack: Sendable {
    package let identifier: String
    package let version: Int64
    /// The address of the archive for devices.
    package let address: String
    /// The size of the archive in bytes, according to the manifest.
    package let byteCount: Int64
    /// The state of the archive.
    package let state: State
  }

  private let store: any Store
  private let layout: AssetPackLayout
  private let base: String
  private let context: WorkContext

  /// Creates a verifier; `base` is the address of the store for devices, without a trailing slash.
  package init(_ store: any Store, layout: AssetPackLayout, base: String, context: WorkContext) {
    self.store = store
    self.layout = layout
    self.base = base
    self.context = context
  }

  /// Reads every archive of the manifest.
  ///
  /// - Returns: The packs in the order of the manifest.
  /// - Throws: `AssetPackHostError` without a valid manifest, or if no address in the manifest is below `base`;
  ///   `StoreError`, `Interruption`.
  package func verify() throws -> [Pack] {
    guard let manifest = try DownloadManifest.read(from: store, layout)?.manifest else {
      throw AssetPackHostError.noManifest(manifest: "\(store.name)/\(layout.manifest)")
    }
    if let first = manifest.packs.first, !manifest.packs.contains(where: { $0.address.hasPrefix(base + "/") })
    {
      throw AssetPackHostError.otherBase(
        manifest: "\(store.name)/\(layout.manifest)", found: first.address, expected: base)
    }
    context.progress.begin(
      .verifying, store.name, totalBytes: SizeRules.sum(manifest.packs.lazy.map(\.byteCount)))
    return try manifest.packs.map { pack in
      Pack(
        identifier: pack.identifier, version: pack.version, address: pack.address, byteCount: pack.byteCount,
        state: try state(of: pack))
    }
  }

  private func state(of pack: DownloadManifest.Pack) throws -> State {
    try context.cancellation.check()
    guard pack.address.hasPrefix(base + "/"),
      let archive = layout.archive(at: String(pack.address.dropFirst(base.utf8.count + 1)))
    else { return .missing }
    guard archive.identifier == pack.identifier, archive.version == pack.version else { return .wrong }
    guard let status = try store.status(of: archive.path) else { return .missing }
    guard status.byteCount == pack.byteCount else { return .wrong }
    var hasher = SHA256Hasher()
    do {
      try store.read(archive.path, range: nil) { block in
        try context.cancellation.check()
        hasher.update(block)
        context.progress.advance(by: Int64(block.byteCount))
      }
    } catch let error as StoreError where error.reason == .missing {
      return .missing
    }
    return hasher.finish().hexadecimal.hasPrefix(archive.digits) ? .intact : .wrong
  }
}
#endif

#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support

/// Verifies that a store has the archives of its download manifest.
package struct AssetPackVerifier: Sendable {
  /// The state of one archive.
  package enum State: Sendable, Equatable {
    case intact
    /// The store has no such archive, or the address is outside of the store.
    case missing
    /// The archive has other bytes than those that its name and the manifest promise.
    case wrong
  }

  /// A pack of the manifest.
  package struct Pack: Sendable {
    package let identifier: String
    package let version: Int64
    package let address: String
    package let byteCount: Int64
    package let state: State
  }

  private let store: any Store
  private let layout: AssetPackLayout
  private let base: String
  private let context: WorkContext

  package init(_ store: any Store, layout: AssetPackLayout, base: String, context: WorkContext) {
    self.store = store
    self.layout = layout
    self.base = base
    self.context = context
  }

  /// Reads every archive of the manifest.
  ///
  /// - Throws: `AssetPackHostError` without a valid manifest; `StoreError`, `Interruption`.
  package func verify() throws -> [Pack] {
    guard let manifest = try DownloadManifest.read(from: store, layout)?.manifest else {
      throw AssetPackHostError.noManifest(place: "\(store.name)/\(layout.manifest)")
    }
    if let first = manifest.packs.first, !manifest.packs.contains(where: { $0.address.hasPrefix(base + "/") })
    {
      throw AssetPackHostError.otherBase(
        place: "\(store.name)/\(layout.manifest)", found: first.address, expected: base)
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

import ContentPackage
package import SafeFiles
import Synchronization

/// Where the packed bytes of entries are kept while they are received: what is compressed cannot be unpacked from its
/// middle, so that another try needs them from the start.
///
/// It keeps them as long as there is room beside the content, and does without them where anything goes wrong.
package final class PackedParts: Sendable {
  /// Files below this size are received once more instead.
  package static let smallest: Int64 = 256 << 10

  private struct State: ~Copyable {
    /// `Documents/.iapkg`; nil unless content is being unpacked there.
    var workFolder: DirectoryHandle?
    var product: ProductIdentifier?
    /// Bytes that may still be taken.
    var room: Int64 = 0
    /// Those that were taken, by the name of what they are for.
    var taken: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Bytes are kept from now on; `room` of them at most.
  func open(in workFolder: consuming DirectoryHandle, of product: ProductIdentifier, room: Int64) {
    var opened: DirectoryHandle? = workFolder
    state.withLock { state in
      state.workFolder = opened.take()
      state.product = product
      state.room = room
      state.taken = [:]
    }
  }

  /// No bytes are kept any more; folders that are empty go.
  func close() {
    state.withLock { state in
      if let product = state.product?.text.utf8 {
        try? state.workFolder?.openFolder(DocumentsFolder.Name.downloads).openFolder(product)
          .removeFolder(DownloadName.packed)
        try? state.workFolder?.openFolder(DocumentsFolder.Name.downloads).removeFolder(product)
      }
      state.workFolder = nil
    }
  }

  /// Begins to keep the bytes of something with `byteCount` bytes, behind the first ones that are kept already.
  ///
  /// - Returns: nil if they cannot be kept.
  package func begin(_ name: String, byteCount: Int64, behind known: Int64) -> OutputFile? {
    state.withLock { state -> OutputFile? in
      guard state.room >= byteCount - known, let product = state.product else { return nil }
      do throws(FileError) {
        let folder = try state.workFolder?.openOrMakeFolder(DocumentsFolder.Name.downloads)
          .openOrMakeFolder(product.text.utf8).openOrMakeFolder(DownloadName.packed)
        let file: OutputFile?
        if known > 0 {
          file = try folder?.openFile(name.utf8, toWriteBehind: known)
        } else {
          try folder?.removeTreeIfAny(name.utf8)
          file = try folder?.createFile(name.utf8)
        }
        state.room -= byteCount - known
        state.taken[name] = byteCount
        return file
      } catch {
        return nil
      }
    }
  }

  /// Deletes what was kept of something.
  package func remove(_ name: String) {
    state.withLock { state in
      guard let product = state.product else { return }
      state.room += state.taken.removeValue(forKey: name) ?? 0
      try? state.workFolder?.openFolder(DocumentsFolder.Name.downloads).openFolder(product.text.utf8)
        .openFolder(DownloadName.packed).remove(name.utf8)
    }
  }
}

/// What is kept of a download: of one that ends early for the next try, and of one that is installed where it came from.
package struct DownloadKeeping: Sendable {
  /// What the download belongs to.
  package let note: [UInt8]
  package let packedParts: PackedParts
  /// The note on the product, as `InstalledProducts.note(origin:of:)` takes it.
  package let origin: [UInt8]
  /// The note on the store that is written before anything is received, so that no stop loses it; nil for none.
  package let seen: StoreNote?
  /// The note on the store that is written with the product.
  package let store: StoreNote

  package init(
    note: [UInt8], packedParts: PackedParts, origin: [UInt8], seen: StoreNote?, store: StoreNote
  ) {
    self.seen = seen
    self.note = note
    self.packedParts = packedParts
    self.origin = origin
    self.store = store
  }

  /// Notes where a product comes from, and what was seen of the store.
  func remember(_ product: ProductIdentifier, in folder: borrowing DocumentsFolder) throws {
    try folder.note(store: store)
    try folder.note(origin: origin, of: product)
  }
}

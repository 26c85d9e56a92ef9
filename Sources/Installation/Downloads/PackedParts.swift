import ContentPackage
package import SafeFiles
import Synchronization

/// The compressed bytes of partially received entries. Decompression cannot start in the middle, so a resumed download
/// needs them from the start.
///
/// Storage is best effort: bytes are no longer kept when the space beside the content is used up or an error occurs.
package final class PackedParts: Sendable {
  /// The minimum size to keep, in bytes; smaller files are downloaded again.
  package static let minimumByteCount: Int64 = 256 << 10

  private struct State: ~Copyable {
    /// `Documents/.iapkg`; nil unless content is being unpacked there.
    var workFolder: DirectoryHandle?
    var product: ProductIdentifier?
    /// The remaining space, in bytes.
    var freeByteCount: Int64 = 0
    /// The space in use, in bytes, by name.
    var reservedByteCounts: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  /// Creates storage that keeps no bytes before `open` is called.
  package init() {}

  /// Starts keeping bytes, at most `freeByteCount` in all.
  func open(in workFolder: consuming DirectoryHandle, of product: ProductIdentifier, freeByteCount: Int64) {
    var opened: DirectoryHandle? = workFolder
    state.withLock { state in
      state.workFolder = opened.take()
      state.product = product
      state.freeByteCount = freeByteCount
      state.reservedByteCounts = [:]
    }
  }

  /// Stops keeping bytes, and removes empty folders.
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

  /// Starts keeping an entry of `byteCount` bytes, after the `known` bytes that are already kept.
  ///
  /// - Returns: The file to write to; nil if the bytes cannot be kept.
  package func begin(_ name: String, byteCount: Int64, after known: Int64) -> OutputFile? {
    state.withLock { state -> OutputFile? in
      guard state.freeByteCount >= byteCount - known, let product = state.product else { return nil }
      do throws(FileError) {
        let folder = try state.workFolder?.openOrMakeFolder(DocumentsFolder.Name.downloads)
          .openOrMakeFolder(product.text.utf8).openOrMakeFolder(DownloadName.packed)
        let file: OutputFile?
        if known > 0 {
          guard try folder?.status(of: name.utf8)?.linkCount == 1 else { return nil }
          file = try folder?.openFile(name.utf8, toWriteAfter: known)
        } else {
          try folder?.removeTreeIfAny(name.utf8)
          file = try folder?.createFile(name.utf8, permissions: InstalledItem.filePermissions)
        }
        state.freeByteCount -= byteCount - known
        state.reservedByteCounts[name] = byteCount
        return file
      } catch {
        return nil
      }
    }
  }

  /// Deletes the kept bytes of an entry.
  package func remove(_ name: String) {
    state.withLock { state in
      guard let product = state.product else { return }
      state.freeByteCount += state.reservedByteCounts.removeValue(forKey: name) ?? 0
      try? state.workFolder?.openFolder(DocumentsFolder.Name.downloads).openFolder(product.text.utf8)
        .openFolder(DownloadName.packed).remove(name.utf8)
    }
  }
}

/// The data to keep of a download: its received bytes if it is interrupted, and its origin once it is installed.
package struct DownloadKeeping: Sendable {
  /// The note on the download.
  package let note: [UInt8]
  /// The storage of partially received entries.
  package let packedParts: PackedParts
  /// The note on the product, as passed to `InstalledProducts.note(origin:of:)`.
  package let origin: [UInt8]
  /// The update of the store's note to write before the download, so that no interruption loses it; nil for none.
  package let seen: StoreNote?
  /// The update of the store's note to write with the product.
  package let store: StoreNote
  /// The parts of the index to keep with the product, as `InstalledProducts.index(of:)` returns it.
  package let index: [any ByteSource]

  /// Creates the data to keep of one download.
  package init(
    note: [UInt8], packedParts: PackedParts, origin: [UInt8], seen: StoreNote?, store: StoreNote,
    index: [any ByteSource]
  ) {
    self.seen = seen
    self.note = note
    self.packedParts = packedParts
    self.origin = origin
    self.store = store
    self.index = index
  }

  /// Records the origin of a product and the state of its store.
  func recordOrigin(_ product: ProductIdentifier, in folder: borrowing DocumentsFolder) throws {
    try folder.note(store: store)
    try folder.note(origin: origin, of: product)
  }
}

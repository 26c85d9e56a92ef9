import ContentPackage
import Installation
import SafeFiles
import Support

// What is remembered of stores.
extension ReleaseFetcher {
  /// The rules that decide whether a catalog of the store may be used for a product.
  func trust(for product: ProductIdentifier) throws -> StoreTrust {
    let store = StoreLocation.identity(of: location)
    let origin = try origin(of: product).map { StoreLocation.identity(of: $0.store) }
    return StoreTrust(
      named: named, record: try record(of: store),
      origin: try origin.flatMap { $0 == store ? nil : try record(of: $0) })
  }

  /// The origin of a product; nil also for one that cannot be read where the caller names the keys.
  private func origin(of product: ProductIdentifier) throws -> ProductOrigin? {
    do {
      return try ifThere { try ProductOrigin.of(product, in: access) }
    } catch FetchError.originUnreadable where named != nil {
      return nil
    }
  }

  /// The record of a store; nil also for a note that cannot be read where the caller names the keys.
  private func record(of store: String) throws -> StoreRecord? {
    let note = try ifThere {
      try InstalledProducts(access).storeNote(
        named: StoreRecord.name(of: store), migration: StoreRecord.migrating)
    }
    do throws(DocumentError) {
      return try note.map { (note) throws(DocumentError) in try StoreRecord(bytes: note) }
    } catch {
      guard named != nil else { throw FetchError.storeUnreadable(store: store) }
      return nil
    }
  }

  /// Remembers a catalog before anything else comes of it. A user who may not write here, or not now, can still look.
  func remember(_ note: StoreNote) throws {
    do {
      try ifThere { try InstalledProducts(access).note(store: note) }
    } catch is FileError {
    } catch is SourceError {
    } catch is InstallationError {
    } catch is RecordUnreadable {
    } catch is DocumentsBusy {}
  }
}

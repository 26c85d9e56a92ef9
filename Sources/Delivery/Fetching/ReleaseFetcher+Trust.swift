import ContentPackage
import Installation
import SafeFiles
import StrictJSON
import Support

// The records of stores.
extension ReleaseFetcher {
  /// Returns the trust rules for a catalog of the store that lists a product.
  func trust(for product: ProductIdentifier) throws -> StoreTrust {
    let store = StoreLocation.identity(of: location)
    let origin = try origin(of: product).map { StoreLocation.identity(of: $0.store) }
    return StoreTrust(
      named: named, record: try record(of: store),
      origin: try origin.flatMap { $0 == store ? nil : try record(of: $0) })
  }

  /// Walks to the newest trust document of the store, which must accept the catalog.
  ///
  /// - Parameters:
  ///   - trust: The trust rules.
  ///   - current: The catalog. If a document does not accept it, a cache may be behind, so it is read again.
  ///   - noting: Whether the newest document is recorded, even if it does not accept the catalog.
  /// - Returns: The rules with the newest trust document.
  /// - Throws: `IntegrityError`, `StoreError`, and `FetchError` for an expired trust document.
  func walking(_ trust: StoreTrust, _ current: inout CurrentCatalog, noting: Bool) throws -> StoreTrust {
    func newest(from anchors: [TrustAnchor]) throws -> [TrustDocument] {
      try anchors.compactMap { try reader.newestTrust(from: $0, catalogTrust: current.catalog.trust) }
    }
    func newest() throws -> (own: [TrustDocument], origin: TrustDocument?) {
      (try newest(from: trust.anchors), try trust.originAnchor.flatMap { try newest(from: [$0]).first })
    }
    var found = try newest()
    var documents: [TrustDocument] { found.own + [found.origin].compactMap(\.self) }
    if !documents.allSatisfy({ $0.catalogs.accepts(current.signers) }),
      let direct = try reader.catalogBypassingCaches()
    {
      current = direct
      found = try newest()
    }
    let walked = trust.walked(to: found.own.first, fromOrigin: found.origin)
    if noting, let note = walked.noteOfTrust(of: StoreLocation.identity(of: location)) { try remember(note) }
    for document in documents {
      let isSeen = trust.record?.trust?.version == document.version
      try reader.check(current, against: document, isSeen: isSeen, allowsExpired: allowsExpired)
    }
    if walked.isBehind(current), !trust.replaces, let seen = trust.record?.trust,
      let loss = try reader.loss(of: seen)
    {
      throw IntegrityError(
        reader.place(of: .catalog), "is older than one that was seen before, and \(loss)",
        advice: .trustDocumentLost)
    }
    return walked
  }

  /// Returns the origin of a product. An unreadable record counts as nil if the caller names the keys.
  private func origin(of product: ProductIdentifier) throws -> ProductOrigin? {
    do {
      return try ifThere { try ProductOrigin.of(product, in: access) }
    } catch FetchError.originUnreadable where named != nil {
      return nil
    }
  }

  /// Returns the record of a store. An unreadable record counts as nil if the caller names the keys.
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

  /// Records a catalog before anything is downloaded. Errors of the folder are only reported: a user without write
  /// access can still query the store.
  ///
  /// Named keys are recorded even in a missing folder: otherwise the next fetch, without keys, would accept any signer.
  func remember(_ note: StoreNote) throws {
    try recording {
      try ifThere { try InstalledProducts(access).note(store: note, makingFolder: named != nil) }
    }
  }

  /// Performs `record`, and only reports errors of the folder.
  func recording(_ record: () throws -> Void) throws {
    do {
      try record()
    } catch {
      switch error {
      case is FileError, is SourceError, is InstallationError, is RecordUnreadable, is DocumentsBusy:
        unrecorded?.report(error)
      default: throw error
      }
    }
  }
}

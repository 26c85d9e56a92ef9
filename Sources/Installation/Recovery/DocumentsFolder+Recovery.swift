import ContentPackage
import SafeFiles

extension DocumentsFolder {
  /// Completes or rolls back an interrupted run.
  ///
  /// - Returns: The product whose removal was completed; nil if there was none.
  func recover() throws -> ProductIdentifier? {
    var removed: ProductIdentifier?
    if let pending = try pendingRecord() {
      let product = pending.productIdentifier.text
      if try hasTakenEffect(pending) {
        // The interrupted run may not have synchronized the step.
        if pending.installed != nil { try synchronizeStep(pending) }
        try synchronize(root)
        try settle(pending)
        if pending.installed == nil { removed = pending.productIdentifier }
        access.report(.completed(product: product, version: pending.installed?.contentVersion.text))
        if removed != nil, let kept = try openFolder(Name.kept, of: pending.productIdentifier) {
          access.report(.filesKept(product: product, path: kept.path))
        }
      } else {
        try undo(pending)
        access.report(.undone(product: product))
      }
    }
    if let unknown = try workFolder.status(of: Name.displaced) {
      // This folder may be the only copy of a product whose record the user removed.
      throw InstallationError.unsuitable(
        path: workFolder.childPath(Name.displaced), found: "a \(unknown.kind.name) without a record")
    }
    if let product = try keepDownload() { access.report(.downloadKept(product: product.text)) }
    var hasLeftovers = false
    for name in [Name.unfinished, Name.link, Name.staging, Name.trash, Name.unfinishedStores]
    where try clear(name) {
      hasLeftovers = true
    }
    if hasLeftovers { access.report(.cleanedUp) }
    return removed
  }

  /// Recovers as far as the permissions of a reader allow.
  func recoverIfAllowed() throws {
    guard try workFolder.status().owner == FileSystem.effectiveUser else { return }
    do {
      _ = try recover()
    } catch let error as FileError where error.isForbidden {
    } catch SourceError.file(let error) where error.isForbidden {
    } catch is RecordUnreadable {}  // reported for the product concerned
  }
}

import ContentPackage
import SafeFiles

extension DocumentsFolder {
  /// Completes what an interrupted run has begun, or undoes it.
  func recover() throws {
    if let pending = try pendingRecord() {
      let product = pending.productIdentifier.text
      if try hasTakenPlace(pending) {
        // The run may have ended before it did so.
        if pending.installed != nil { try synchronizeStep(pending) }
        try synchronize(root)
        try settle(pending)
        access.report(.completed(product: product, version: pending.installed?.contentVersion.text))
      } else {
        try undo(pending)
        access.report(.undone(product: product))
      }
    }
    if let unknown = try workFolder.status(of: Name.displaced) {
      // It may be all that is left of a product, whose record somebody has removed.
      throw InstallationError.unsuitable(
        path: workFolder.childPath(Name.displaced), found: "a \(unknown.kind.name) that no record explains")
    }
    if let product = try keepDownload() { access.report(.downloadKept(product: product.text)) }
    var hasLeftovers = false
    for name in [Name.unfinished, Name.link, Name.staging, Name.trash, Name.unfinishedStores]
    where try clear(name) {
      hasLeftovers = true
    }
    if hasLeftovers { access.report(.cleanedUp) }
  }

  /// The same for someone who only looks, and goes on where it is not theirs to do.
  func recoverIfAllowed() throws {
    guard try workFolder.status().owner == FileSystem.effectiveUser else { return }
    do {
      try recover()
    } catch let error as FileError where error.isForbidden {
    } catch SourceError.file(let error) where error.isForbidden {
    } catch is RecordUnreadable {}  // said of the product that it concerns
  }
}

import SafeFiles
import SystemPackage

extension DocumentsFolder {
  /// Brings to an end what an interrupted run has begun, or takes it back.
  func recover() throws {
    if let pending = try pendingRecord(), let product = ProductIdentifier(pending.productIdentifier),
      let transition = pending.transition
    {
      if try hasTakenPlace(pending) {
        try synchronize(root)  // the run may have ended before it did so
        try settle(product, pending)
        access.report(.finished(product: product.text, version: pending.installed?.contentVersion))
      } else {
        try takeBack(product, transition)
        access.report(.takenBack(product: product.text))
      }
    }
    if let unknown = try own.status(of: Name.displaced) {
      // It may be all that is left of a product, whose record somebody has removed.
      throw InstallationRefusal.unsuitable(
        path: "\(own.path)/\(String(Name.displaced))", found: "a \(unknown.kind.name) that no record explains"
      )
    }
    var hasLeftovers = false
    for place in [Name.unfinished, Name.staging, Name.trash] where try own.status(of: place) != nil {
      try own.removeTree(place)
      hasLeftovers = true
    }
    if hasLeftovers { access.report(.cleanedUp) }
  }

  /// Whether a product's folder is the one that a pending record speaks of.
  func hasTakenPlace(_ pending: InstallationRecord) throws -> Bool {
    guard let product = ProductIdentifier(pending.productIdentifier), let transition = pending.transition
    else {
      return true  // a record in its place
    }
    guard let live = try inode(of: product) else { return transition.slot == nil }
    if live == transition.incoming { return true }
    guard live != transition.outgoing, let installed = pending.installed else { return false }
    // Neither: all of it was copied from elsewhere in this very state, and only the content can tell.
    let inspector = TreeInspector(
      verifies: true, jobs: 1, cancellation: access.cancellation, progress: access.progress)
    return try inspect(product, against: installed, with: inspector).isIntact
  }

  /// After the step: what was there becomes the version before, anything older goes, and the record holds.
  func settle(_ product: ProductIdentifier, _ pending: InstallationRecord) throws {
    let name = product.text.utf8
    guard let slot = pending.transition?.slot else { return try forget(product) }
    let isDisplaced = try own.status(of: Name.displaced) != nil
    let outgoing = isDisplaced ? Name.displaced : Name.staging
    if try isDisplaced || (slot == .staging && own.status(of: Name.staging) != nil) {
      if try previous.status(of: name) != nil {
        if try own.status(of: Name.trash) != nil { try own.removeTree(Name.trash) }
        try previous.move(name, to: Name.trash, in: own)
      }
      try own.move(outgoing, to: name, in: previous)
      // With the record gone from here nobody would know whose folder it was.
      try synchronize(previous)
      try synchronize(own)
    }
    try own.rename(Name.pending, to: name, in: records, mode: .replace)
    try synchronize(records)
    try synchronize(own)
    if try own.status(of: Name.trash) != nil { try own.removeTree(Name.trash) }
  }

  /// After a product was taken away: nothing of it stays.
  private func forget(_ product: ProductIdentifier) throws {
    let name = product.text.utf8
    if try own.status(of: Name.trash) != nil { try own.removeTree(Name.trash) }
    if try previous.status(of: name) != nil { try previous.removeTree(name) }
    if try records.status(of: name) != nil { try records.remove(name) }
    try synchronize(previous)
    try synchronize(records)
    try own.remove(Name.pending)
  }
}

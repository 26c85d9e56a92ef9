import SafeFiles
import SystemPackage

extension DocumentsFolder {
  /// Makes an empty folder for what is to be installed.
  func makeStaging() throws(FileFailure) -> DirectoryHandle { try own.makeFolder(Name.staging) }

  /// Throws away what was staged, unless a change that could not be taken back may have left the old version there.
  func discardStaging() throws(FileFailure) {
    guard try own.status(of: Name.pending) == nil else { return }
    try own.removeTree(Name.staging)
  }

  /// Brings all that was staged to stable storage, if that is asked for: one call for the whole file system
  /// takes a fifth of the time of one for each of many files, and no more for a single one.
  func synchronizeStaging() throws(FileFailure) {
    guard access.isDurable else { return }
    access.progress.begin(.synchronizing, access.path)
    try own.synchronizeFileSystem()
  }

  func synchronize(_ folder: borrowing DirectoryHandle) throws(FileFailure) {
    if access.isDurable { try folder.synchronize() }
  }

  /// Puts what waits in `slot` in the place of a product, or takes the product away if `slot` is nil, in one
  /// step. At every instant the product is the old version or the new one.
  ///
  /// The record goes before: it names the folder that is to come, so that whoever finds it pending sees whether
  /// the step has been taken. Once this returns it has, and is on stable storage. What is left to do then can be
  /// done by the next run as well, so that a failure there is only reported.
  ///
  /// - Parameters:
  ///   - product: whose folder it is.
  ///   - slot: where the new folder waits, which is on stable storage.
  ///   - record: what is known of the product afterwards.
  /// - Throws: `FileFailure`; the product is then as it was. What was staged is left.
  func replace(
    _ product: ProductIdentifier, from slot: InstallationRecord.Slot?, with record: InstallationRecord
  ) throws {
    let transition = InstallationRecord.Transition(
      slot: slot, incoming: try slot.flatMap { try inode(in: $0, product) }, outgoing: try inode(of: product))
    let pending = record.reached(by: transition)
    do {
      try announce(pending)
      try swap(product, transition)
      try synchronize(root)
      try synchronizeSlot(slot)
    } catch {
      // Where that fails too, the pending record stays, and the next run sees by it what to do.
      try? takeBack(product, transition)
      throw error
    }
    do {
      try settle(product, pending)
    } catch let failure as FileFailure {
      access.report(.postponed(failure))
    }
  }

  func inode(of product: ProductIdentifier) throws(FileFailure) -> UInt64? {
    try root.status(of: product.text.utf8)?.identity.inode
  }

  private func inode(
    in slot: InstallationRecord.Slot, _ product: ProductIdentifier
  ) throws(FileFailure) -> UInt64? {
    switch slot {
    case .staging: try own.status(of: Name.staging)?.identity.inode
    case .previous: try previous.status(of: product.text.utf8)?.identity.inode
    }
  }

  private func synchronizeSlot(_ slot: InstallationRecord.Slot?) throws(FileFailure) {
    if slot == .previous { try synchronize(previous) }
    try synchronize(own)
  }

  /// Writes the pending record.
  private func announce(_ record: InstallationRecord) throws {
    var file = try own.createFile(Name.unfinished)
    try record.encode { (line) throws(FileFailure) in try file.write(line) }
    if access.isDurable { try file.synchronize() }
    try file.close()
    try own.rename(Name.unfinished, to: Name.pending, in: own, mode: .replace)
    try synchronize(own)
  }

  /// The step itself; an error names the product's folder, which is what stands in the way if anything does.
  private func swap(
    _ product: ProductIdentifier, _ transition: InstallationRecord.Transition
  ) throws(FileFailure) {
    do throws(FileFailure) {
      try rename(product, transition)
    } catch {
      throw FileFailure(.rename, path(of: product), error.errno, detail: error.detail)
    }
  }

  private func rename(
    _ product: ProductIdentifier, _ transition: InstallationRecord.Transition
  ) throws(FileFailure) {
    let name = product.text.utf8
    guard let slot = transition.slot else {
      if transition.outgoing != nil { try root.move(name, to: Name.trash, in: own) }
      return
    }
    guard transition.outgoing != nil else { return try bring(slot, product) }
    do throws(FileFailure) {
      try exchange(slot, product)
    } catch {
      guard error.isUnsupported else { throw error }
      try root.move(name, to: Name.displaced, in: own)
      try bring(slot, product)
    }
  }

  private func bring(_ slot: InstallationRecord.Slot, _ product: ProductIdentifier) throws(FileFailure) {
    let name = product.text.utf8
    switch slot {
    case .staging: try own.move(Name.staging, to: name, in: root)
    case .previous: try previous.move(name, to: name, in: root)
    }
  }

  private func exchange(_ slot: InstallationRecord.Slot, _ product: ProductIdentifier) throws(FileFailure) {
    let name = product.text.utf8
    switch slot {
    case .staging: try own.rename(Name.staging, to: name, in: root, mode: .exchange)
    case .previous: try previous.rename(name, to: name, in: root, mode: .exchange)
    }
  }

  /// Undoes as much of the step as has been done, and forgets what was to be.
  func takeBack(
    _ product: ProductIdentifier, _ transition: InstallationRecord.Transition
  ) throws(FileFailure) {
    try undo(product, transition)
    // The order on disk: the record must not go before the folder has come back. Whoever called is told of a
    // failure in any case, so that nothing is claimed by these.
    try? synchronize(root)
    try? synchronizeSlot(transition.slot)
    if try own.status(of: Name.unfinished) != nil { try own.remove(Name.unfinished) }
    if try own.status(of: Name.pending) != nil { try own.remove(Name.pending) }
  }

  private func undo(
    _ product: ProductIdentifier, _ transition: InstallationRecord.Transition
  ) throws(FileFailure) {
    let name = product.text.utf8
    let live = try inode(of: product)
    if live != nil, live == transition.incoming, let slot = transition.slot {
      let isDisplaced = try own.status(of: Name.displaced) != nil
      if !isDisplaced, transition.outgoing != nil { return try exchange(slot, product) }
      switch slot {
      case .staging: try root.move(name, to: Name.staging, in: own)
      case .previous: try root.move(name, to: name, in: previous)
      }
    }
    guard try inode(of: product) == nil else { return }
    if try own.status(of: Name.displaced) != nil { return try own.move(Name.displaced, to: name, in: root) }
    // The trash may also hold what was older still.
    guard let trash = try own.status(of: Name.trash), trash.identity.inode == transition.outgoing else {
      return
    }
    try own.move(Name.trash, to: name, in: root)
  }
}

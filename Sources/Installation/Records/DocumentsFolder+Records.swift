import ContentPackage
import SafeFiles

extension DocumentsFolder {
  /// Returns the record of a product; nil if iapkg has not installed it.
  func record(of product: ProductIdentifier) throws -> InstallationRecord? {
    if let pending = try pendingRecord(), pending.productIdentifier == product, try hasTakenEffect(pending) {
      return pending
    }
    return try settledRecord(of: product)
  }

  /// Returns the record of a product, disregarding a pending change.
  func settledRecord(of product: ProductIdentifier) throws -> InstallationRecord? {
    let record = try record(in: records, named: product.text.utf8)
    guard let record else { return nil }
    // On a case-insensitive file system the name may belong to another product.
    return record.productIdentifier == product ? record : nil
  }

  /// Returns all products that iapkg has installed.
  func products() throws -> [ProductIdentifier] {
    try records.list().compactMap { ProductIdentifier(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the record of the change that is under way or was interrupted; nil if there is none.
  func pendingRecord() throws -> InstallationRecord? { try record(in: workFolder, named: Name.pending) }

  private func record(
    in folder: borrowing DirectoryHandle, named name: String.UTF8View
  ) throws -> InstallationRecord? {
    guard try folder.status(of: name) != nil else { return nil }
    let file = try folder.openFile(name)
    return try InstallationRecord(
      decoding: file, path: file.path, cancellation: access.context.cancellation)
  }

  /// Writes the pending record of a change, before the step.
  func writePending(_ record: InstallationRecord) throws {
    if try workFolder.status(of: Name.unfinished) != nil { try workFolder.remove(Name.unfinished) }
    var file = try workFolder.createFile(
      Name.unfinished, permissions: InstalledItem.filePermissions)
    try record.encode { (line) throws(FileError) in try file.write(line) }
    if access.isDurable { try file.synchronize() }
    try file.close()
    try workFolder.rename(Name.unfinished, to: Name.pending, in: workFolder, mode: .replace)
    try synchronize(workFolder)
  }

  /// Deletes the pending record, and the unfinished record of an interrupted run.
  func withdrawPending() throws(FileError) {
    for name in [Name.unfinished, Name.pending] where try workFolder.status(of: name) != nil {
      try workFolder.remove(name)
    }
  }
}

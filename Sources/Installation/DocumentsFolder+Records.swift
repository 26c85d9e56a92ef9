import ContentPackage
import SafeFiles

extension DocumentsFolder {
  /// What is known of a product; nil if iapkg has not installed it.
  func record(of product: ProductIdentifier) throws -> InstallationRecord? {
    if let pending = try pendingRecord(), pending.productIdentifier == product, try hasTakenPlace(pending) {
      return pending
    }
    return try settledRecord(of: product)
  }

  /// What was known of a product before a change that is pending, or is known where none is.
  func settledRecord(of product: ProductIdentifier) throws -> InstallationRecord? {
    let record = try record(in: records, named: product.text.utf8)
    guard let record else { return nil }
    // Where letters of either case are one name, another product has it.
    return record.productIdentifier == product ? record : nil
  }

  /// All products that iapkg has installed.
  func products() throws -> [ProductIdentifier] {
    try records.list().compactMap { ProductIdentifier(String(decoding: $0, as: UTF8.self)) }
  }

  /// The record that is written while a product is changed.
  func pendingRecord() throws -> InstallationRecord? { try record(in: workFolder, named: Name.pending) }

  private func record(
    in folder: borrowing DirectoryHandle, named name: String.UTF8View
  ) throws -> InstallationRecord? {
    guard try folder.status(of: name) != nil else { return nil }
    let file = try folder.openFile(name)
    return try InstallationRecord(
      decoding: file, path: file.path, cancellation: access.context.cancellation)
  }

  /// Writes the record that a product gets once its change is complete.
  func announce(_ record: InstallationRecord) throws {
    if try workFolder.status(of: Name.unfinished) != nil { try workFolder.remove(Name.unfinished) }
    var file = try workFolder.createFile(Name.unfinished)
    try record.encode { (line) throws(FileError) in try file.write(line) }
    if access.isDurable { try file.synchronize() }
    try file.close()
    try workFolder.rename(Name.unfinished, to: Name.pending, in: workFolder, mode: .replace)
    try synchronize(workFolder)
  }

  /// Gives up the change that is pending.
  func withdrawPending() throws(FileError) {
    for name in [Name.unfinished, Name.pending] where try workFolder.status(of: name) != nil {
      try workFolder.remove(name)
    }
  }
}

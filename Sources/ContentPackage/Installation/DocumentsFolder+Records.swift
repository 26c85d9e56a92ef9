import SafeFiles
import ZipArchive

extension DocumentsFolder {
  /// What is known of a product; nil if iapkg has not installed it.
  func record(of product: ProductIdentifier) throws -> InstallationRecord? {
    if let pending = try pendingRecord(), pending.productIdentifier == product.text,
      try hasTakenPlace(pending)
    {
      return pending
    }
    guard let record = try record(in: records, named: product.text.utf8) else { return nil }
    // Where letters of either case are one name, another product has it.
    return record.productIdentifier == product.text ? record : nil
  }

  /// All products that iapkg has installed.
  func products() throws -> [ProductIdentifier] {
    try records.list().compactMap { ProductIdentifier(String(decoding: $0, as: UTF8.self)) }
  }

  /// The record that is written while a product is replaced.
  func pendingRecord() throws -> InstallationRecord? { try record(in: own, named: Name.pending) }

  private func record(
    in folder: borrowing DirectoryHandle, named name: String.UTF8View
  ) throws -> InstallationRecord? {
    guard try folder.status(of: name) != nil else { return nil }
    let file = try folder.openFile(name)
    return try InstallationRecord(decoding: file, path: file.path)
  }

  /// Holds a product's folder against what was installed in it; without the folder all of it is missing.
  func inspect(
    _ product: ProductIdentifier, against installation: Installation, with inspector: TreeInspector
  ) throws -> ProductInspection {
    try inspect(product, in: root, against: installation, with: inspector)
  }

  /// Holds a product's folder in `place`, which is that of the products or of the versions before, against what
  /// was installed in it.
  func inspect(
    _ product: ProductIdentifier, in place: borrowing DirectoryHandle, against installation: Installation,
    with inspector: TreeInspector
  ) throws -> ProductInspection {
    let status = try place.status(of: product.text.utf8)
    guard status?.kind == .folder else {
      return ProductInspection(missing: installation.items.map(\.place), modified: [], extra: [])
    }
    return try inspector.inspect(
      FileTree(root: place.openFolder(product.text.utf8)), against: installation.items)
  }

  /// Refuses what has the product's name in `place` if anything in it is not of `installation`.
  ///
  /// - Throws: `InstallationRefusal`, `FileFailure`.
  func refuseOthers(
    _ product: ProductIdentifier, in place: borrowing DirectoryHandle, than installation: Installation?
  ) throws {
    let name = product.text.utf8
    guard let kind = try place.status(of: name)?.kind else { return }
    let path = place.childPath(name)
    guard kind == .folder else { throw InstallationRefusal.foreign(path: path, found: "a \(kind.name)") }
    let tree = FileTree(root: try place.openFolder(name))
    let extra = try quickInspector.inspect(tree, against: installation?.items ?? []).extra
    if extra.isEmpty { return }
    guard installation != nil else { throw InstallationRefusal.foreign(path: path, found: "a folder") }
    throw InstallationRefusal.unrecorded(path: path, extra)
  }

  /// Refuses to delete what is kept as a product's version before if anything in it is not of `installation`.
  ///
  /// - Throws: `InstallationRefusal`, `FileFailure`.
  func refuseLoss(of product: ProductIdentifier, besides installation: Installation?) throws {
    do {
      try refuseOthers(product, in: previous, than: installation)
    } catch is InstallationRefusal {
      throw InstallationRefusal.wouldBeDeleted(path: previous.childPath(product.text.utf8))
    }
  }

  /// Kinds, sizes and links only, on this thread.
  var quickInspector: TreeInspector {
    TreeInspector(verifies: false, jobs: 1, cancellation: access.cancellation, progress: access.progress)
  }
}

import SafeFiles

/// The products that are installed in a `Documents` folder.
///
/// ```swift
/// let products = InstalledProducts(DocumentsAccess(path: "Documents"))
/// for status in try products.status() where !status.inspection.isIntact {
///   print(status.productIdentifier, status.inspection.modified.map(\.escaped))
/// }
/// ```
public struct InstalledProducts: Sendable {
  /// What is known of one, and how its folder compares with that.
  public struct Status: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// What was installed.
    public let installation: Installation
    /// How its folder differs from that.
    public let inspection: ProductInspection
    /// Whether there is a version to roll back to.
    public let hasPrevious: Bool
  }

  /// What a product was before a change and is after it.
  public struct Change: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// What it was; nil for what iapkg did not install, or nothing.
    public let before: Installation?
    /// What it is, or would be; nil likewise.
    public let after: Installation?
  }

  /// Where they are.
  public let access: DocumentsAccess

  /// The products in this folder.
  public init(_ access: DocumentsAccess) { self.access = access }

  /// Looks at products, or at all if none are named.
  ///
  /// - Parameters:
  ///   - names: the products.
  ///   - verifying: whether contents are read and compared too.
  ///   - jobs: how many threads read, at least 1; as many as there are processors if nil.
  /// - Returns: a status for each product that is installed.
  /// - Throws: `FileFailure`, `InstallationRefusal`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  public func status(
    of names: [ProductIdentifier] = [], verifying: Bool = false, jobs: Int? = nil
  ) throws -> [Status] {
    guard let folder = try DocumentsFolder.openExisting(access) else {
      if let name = names.first { throw InstallationRefusal.notInstalled(name, path: access.path) }
      return []
    }
    let inspector = TreeInspector(
      verifies: verifying, jobs: WorkerPool.count(jobs), cancellation: access.cancellation,
      progress: access.progress)
    do {
      var statuses: [Status] = []
      for product in try names.isEmpty ? folder.products() : names {
        if let status = try status(of: product, in: folder, with: inspector) {
          statuses.append(status)
        } else if !names.isEmpty {
          throw InstallationRefusal.notInstalled(product, path: access.path)
        }
      }
      folder.close()
      return statuses
    } catch {
      folder.close()
      throw error
    }
  }

  private func status(
    of product: ProductIdentifier, in folder: borrowing DocumentsFolder, with inspector: TreeInspector
  ) throws -> Status? {
    guard let installation = try folder.record(of: product)?.installed else { return nil }
    return Status(
      productIdentifier: product, installation: installation,
      inspection: try folder.inspect(product, against: installation, with: inspector),
      hasPrevious: try folder.previous.status(of: product.text.utf8) != nil)
  }

  /// Puts back the version before, and keeps the present one in its place: doing it twice changes nothing.
  ///
  /// - Parameters:
  ///   - product: which one.
  ///   - rehearsing: whether only to say what would be done.
  /// - Returns: what was there before, and after.
  /// - Throws: as `status`.
  @discardableResult
  public func rollBack(_ product: ProductIdentifier, rehearsing: Bool = false) throws -> Change {
    try change(product, rehearsing: rehearsing) { folder, record in
      guard try folder.previous.status(of: product.text.utf8) != nil else {
        throw InstallationRefusal.nothingToRollBackTo(product)
      }
      if let previous = record.previous {
        let inspection = try folder.inspect(
          product, in: folder.previous, against: previous, with: folder.quickInspector)
        guard inspection.isComplete else { throw InstallationRefusal.previousDamaged(product, inspection) }
      }
      let isFolder = try folder.kind(of: product) == .folder
      let after = InstallationRecord(
        product, installed: record.previous, previous: isFolder ? record.installed : nil)
      if !rehearsing { try folder.replace(product, from: .previous, with: after) }
      return Change(productIdentifier: product, before: record.installed, after: record.previous)
    }
  }

  /// Takes a product away, with the version before.
  ///
  /// - Parameters:
  ///   - product: which one.
  ///   - force: whether files go too that iapkg did not install.
  ///   - rehearsing: whether only to say what would be done.
  /// - Returns: what was there before.
  /// - Throws: as `status`.
  @discardableResult
  public func remove(
    _ product: ProductIdentifier, force: Bool = false, rehearsing: Bool = false
  ) throws -> Change {
    try change(product, rehearsing: rehearsing) { folder, record in
      if !force {
        try folder.refuseOthers(product, in: folder.root, than: record.installed)
        try folder.refuseLoss(of: product, besides: record.previous)
      }
      let nothing = InstallationRecord(product, installed: nil, previous: nil)
      if !rehearsing { try folder.replace(product, from: nil, with: nothing) }
      return Change(productIdentifier: product, before: record.installed, after: nil)
    }
  }

  private func change(
    _ product: ProductIdentifier, rehearsing: Bool,
    _ body: (borrowing DocumentsFolder, InstallationRecord) throws -> Change
  ) throws -> Change {
    guard let folder = try DocumentsFolder.openExisting(access, recovering: !rehearsing) else {
      throw InstallationRefusal.notInstalled(product, path: access.path)
    }
    do {
      guard let record = try folder.record(of: product) else {
        throw InstallationRefusal.notInstalled(product, path: access.path)
      }
      let change = try body(folder, record)
      folder.close()
      return change
    } catch {
      folder.close()
      throw error
    }
  }
}

import ContentPackage
import Delivery
import Installation
import SafeFiles
import SystemPackage

extension ContentLibrary {
  /// Returns the state of a product on disk, after the library has finished its current work.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The state, without a version if the product is not installed.
  /// - Throws: `ContentLibraryError.invalidProduct`, and the errors of `statuses()` that concern this product.
  public func status(of product: String) async throws -> ContentStatus {
    let identifier = try identifier(product)
    return try await statuses(of: [identifier]).first
      ?? ContentStatus(
        product: product, version: nil, folder: nil, isIntact: false, previousVersions: [],
        downloadedBytes: nil)
  }

  /// Returns the states of all installed and partially downloaded products, ordered by identifier.
  ///
  /// - Throws: `CancellationError`; the errors of `InstalledProducts.status` in `Installation`; the first error in its
  ///   report, even if it concerns one product only.
  public func statuses() async throws -> [ContentStatus] { try await statuses(of: nil) }

  /// Returns the states of `products` that are installed or partially downloaded; nil for all products.
  private func statuses(of products: [ProductIdentifier]?) async throws -> [ContentStatus] {
    try await perform { [self] access in
      let report = try Self.ifInstalled { try InstalledProducts(access).status(of: products ?? []) }
      if let error = report?.errors.first { throw error }
      let downloads = try Self.ifDocumentsExist { try UnfinishedDownload.all(in: access, of: products) } ?? []
      let received = Dictionary(downloads.map { ($0.productIdentifier, $0.receivedBytes) }) { first, _ in
        first
      }
      let installed = (report?.products ?? []).map { product in
        ContentStatus(
          product: product.productIdentifier.text, version: product.installed.contentVersion.text,
          folder: folder(of: product.productIdentifier.text), isIntact: product.inspection.isIntact,
          previousVersions: product.previous.map(\.version.contentVersion.text),
          downloadedBytes: received[product.productIdentifier])
      }
      let known = Set(installed.map(\.product))
      let others = received.filter { !known.contains($0.key.text) }.map { product, bytes in
        ContentStatus(
          product: product.text, version: nil, folder: nil, isIntact: false, previousVersions: [],
          downloadedBytes: bytes)
      }
      return (installed + others).sorted { $0.product < $1.product }
    }
  }

  /// Removes a product, its previous versions, and its unfinished download.
  ///
  /// - Parameters:
  ///   - product: The product identifier.
  ///   - force: Whether files that the app changed or added in the product's folder are deleted too.
  /// - Throws: `ContentLibraryError.invalidProduct`; `ContentLibraryError.notInstalled` if the product has no download
  ///   either; `CancellationError`, and the errors of `InstalledProducts.remove` in `Installation`. If the removal
  ///   fails, the unfinished download stays.
  public func remove(_ product: String, force: Bool = false) async throws {
    let identifier = try identifier(product)
    try await perform { access in
      let products = InstalledProducts(access)
      let isRemoved = try Self.ifInstalled { try products.remove(identifier, force: force) } != nil
      let wasDownloaded = try Self.ifDocumentsExist { try products.discardDownload(of: identifier) } ?? false
      guard isRemoved || wasDownloaded else { throw ContentLibraryError.notInstalled(product: product) }
    }
  }

  /// Restores a previous version of a product, and keeps the version in use as a previous version.
  ///
  /// - Parameters:
  ///   - product: The product identifier.
  ///   - version: The version to restore; nil for the most recently used previous version.
  /// - Returns: The restored version.
  /// - Throws: `ContentLibraryError.invalidProduct`; `ContentLibraryError.invalidConfiguration` if `version` is not a
  ///   version; `CancellationError`, and the errors of `InstalledProducts.rollBack` in `Installation`.
  @discardableResult
  public func rollBack(_ product: String, to version: String? = nil) async throws -> String {
    let identifier = try identifier(product)
    let wanted = version.map { ContentVersion($0) }
    if case .some(nil) = wanted {
      throw ContentLibraryError.invalidConfiguration("'\(version ?? "")' is not a version")
    }
    return try await perform { access in
      try InstalledProducts(access).rollBack(identifier, to: wanted ?? nil).after?.contentVersion.text ?? ""
    }
  }

  /// Returns the result of `work`; nil if the `Documents` folder does not exist.
  static func ifDocumentsExist<Found>(_ work: () throws -> Found) throws -> Found? {
    do { return try work() } catch let error where isMissing(error) { return nil }
  }

  /// Returns the result of `work`; nil if the product is not installed, or the `Documents` folder does not exist.
  private static func ifInstalled<Found>(_ work: () throws -> Found) throws -> Found? {
    do { return try ifDocumentsExist(work) } catch let error as InstallationError {
      guard case .notInstalled = error else { throw error }
      return nil
    }
  }

  private static func isMissing(_ error: any Error) -> Bool {
    (error as? FileError)?.errno == .noSuchFileOrDirectory
  }
}

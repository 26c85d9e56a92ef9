import ContentPackage
import Delivery
import Installation
import SafeFiles
import SystemPackage

extension ContentLibrary {
  /// Returns the state of a product on disk. Waits for running work.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The state, without a version if the product is not installed.
  /// - Throws: `ContentLibraryError.invalidProduct`, `CancellationError`, and the errors of `InstalledProducts.status` in
  ///   `Installation`.
  public func status(of product: String) async throws -> ContentStatus {
    let identifier = try identifier(product)
    return try await statuses().first { $0.product == identifier.text }
      ?? ContentStatus(
        product: product, version: nil, folder: nil, isIntact: false, previousVersions: [],
        downloadedBytes: nil)
  }

  /// Returns the states of all products that are installed or were downloaded in part, ordered by identifier.
  ///
  /// - Throws: The errors of `status(of:)`.
  public func statuses() async throws -> [ContentStatus] {
    try await perform { [self] access in
      guard let report = try Self.ifDocumentsExist({ try InstalledProducts(access).status() }) else {
        return []
      }
      if let error = report.errors.first { throw error }
      let downloads = try UnfinishedDownload.all(in: access)
      let received = Dictionary(downloads.map { ($0.productIdentifier, $0.receivedBytes) }) { first, _ in
        first
      }
      let installed = report.products.map { product in
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

  /// Removes a product, its previous versions, and what was downloaded of it.
  ///
  /// - Parameters:
  ///   - product: The product identifier.
  ///   - force: Whether files that the app changed or added in the product's folder are deleted too.
  /// - Throws: `ContentLibraryError.notInstalled`, and the errors of `InstalledProducts.remove` in `Installation`.
  public func remove(_ product: String, force: Bool = false) async throws {
    let identifier = try identifier(product)
    try await perform { access in
      let products = InstalledProducts(access)
      let wasDownloaded = try Self.ifDocumentsExist { try products.discardDownload(of: identifier) } ?? false
      do {
        try products.remove(identifier, force: force)
      } catch let error as InstallationError {
        guard case .notInstalled = error else { throw error }
        guard wasDownloaded else { throw ContentLibraryError.notInstalled(product: product) }
      } catch let error where Self.isMissing(error) {
        throw ContentLibraryError.notInstalled(product: product)
      }
    }
  }

  /// Restores the previous version of a product, and keeps the version in use as a previous one.
  ///
  /// - Parameters:
  ///   - product: The product identifier.
  ///   - version: The version to restore; nil for the most recently used one.
  /// - Returns: The restored version.
  /// - Throws: `ContentLibraryError`, and the errors of `InstalledProducts.rollBack` in `Installation`.
  @discardableResult
  public func rollBack(_ product: String, to version: String? = nil) async throws -> String {
    let identifier = try identifier(product)
    let wanted = version.map { ContentVersion($0) }
    if case .some(nil) = wanted {
      throw ContentLibraryError.invalidConfiguration("'\(version ?? "")' is no version")
    }
    return try await perform { access in
      try InstalledProducts(access).rollBack(identifier, to: wanted ?? nil).after?.contentVersion.text ?? ""
    }
  }

  /// Returns the result of `work`; nil if the `Documents` folder does not exist.
  static func ifDocumentsExist<Found>(_ work: () throws -> Found) throws -> Found? {
    do { return try work() } catch let error where isMissing(error) { return nil }
  }

  private static func isMissing(_ error: any Error) -> Bool {
    (error as? FileError)?.errno == .noSuchFileOrDirectory
  }
}

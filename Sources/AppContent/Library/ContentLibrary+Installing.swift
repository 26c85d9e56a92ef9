import ContentPackage
import Delivery
import Installation

extension ContentLibrary {
  /// Installs the newest release of a product, or updates it. When this returns, the content is complete, verified and
  /// on disk.
  ///
  /// Bytes that an earlier attempt received are not downloaded again.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The installed content.
  /// - Throws: `ContentLibraryError`, `CancellationError`, and the errors of `ReleaseFetcher.fetch` in `Delivery`.
  @discardableResult
  public func install(_ product: String) async throws -> InstalledContent {
    let identifier = try identifier(product)
    if let service, try await !service.holdings().entitlements.contains(product) {
      throw ContentLibraryError.notEntitled(product: product)
    }
    return try await installNewest(identifier)
  }

  /// Updates an installed product.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The new version; nil if the store has no newer one.
  /// - Throws: `ContentLibraryError.notInstalled`, and the errors of `install`.
  @discardableResult
  public func update(_ product: String) async throws -> InstalledContent? {
    try await fetch(try identifier(product), onlyUpdating: true)
  }

  /// Checks the store for a release that would replace the installed version, and installs nothing.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The release; nil if there is no newer one.
  /// - Throws: The errors of `install`.
  public func availableUpdate(of product: String) async throws -> AvailableUpdate? {
    let identifier = try identifier(product)
    let choice = choice
    return try await querying { fetcher in
      try fetcher.newerRelease(of: identifier, choice).map {
        AvailableUpdate(
          product: product, version: $0.contentVersion.text, installedVersion: $0.installedVersion?.text,
          transferBytes: $0.transferBytes, isCritical: $0.isCritical, metadata: $0.metadata)
      }
    }
  }

  /// Installs a product that the account may have.
  func installNewest(_ product: ProductIdentifier) async throws -> InstalledContent {
    guard let content = try await fetch(product, onlyUpdating: false) else {
      throw ContentLibraryError.notInstalled(product: product.text)
    }
    return content
  }

  /// Fetches a product, unless the installed version is complete and not older.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - isUpdate: Whether the product must be installed already.
  /// - Returns: The content; nil for an update without a newer release.
  /// - Throws: The errors of `install`.
  private func fetch(
    _ product: ProductIdentifier, onlyUpdating isUpdate: Bool
  ) async throws -> InstalledContent? {
    let choice = choice
    return try await installing(product) { [self] fetcher, access in
      let known = try Self.ifDocumentsExist { try InstalledProducts(access).version(of: product) } ?? nil
      guard known != nil || !isUpdate else {
        throw ContentLibraryError.notInstalled(product: product.text)
      }
      // Rejected content is a failure, not the end of the transfer.
      return try transfers.following(product) {
        let outcome = try fetcher.fetch(
          product, choice, keeping: .completeOrNewer, for: .installation)
        if case .fetched(let result) = outcome { return try installed(product, result) }
        guard !isUpdate, let known else { return nil }
        return InstalledContent(
          product: product.text, version: known.text, folder: folder(of: product.text),
          previousVersion: known.text, transferredBytes: 0, reusedBytes: 0)
      }
    }
  }

  /// Returns the content that a fetch has installed.
  ///
  /// - Throws: `ContentLibraryError.rejected`.
  func installed(_ product: ProductIdentifier, _ result: ReleaseFetcher.Result) throws -> InstalledContent {
    switch result.installation.outcome {
    case .installed, .upToDate:
      return InstalledContent(
        product: product.text, version: result.plan.contentVersion.text, folder: folder(of: product.text),
        previousVersion: result.installation.previousVersion, transferredBytes: result.transferredBytes,
        reusedBytes: result.plan.reusedBytes)
    default: throw Self.rejection(of: product, result.installation)
    }
  }

  /// Returns the error for a release that is not installed.
  static func rejection(of product: ProductIdentifier, _ result: PackageInstaller.Result)
    -> ContentLibraryError
  {
    .rejected(
      product: product.text, outcome: "\(result.outcome)",
      findings: result.report.findings.filter { $0.severity == .error }.map(\.message))
  }
}

import ContentPackage
import Delivery
import Installation

extension ContentLibrary {
  /// Installs the newest release of a product, or keeps a complete version that is not older. When the function
  /// returns, the content is complete, verified and on disk.
  ///
  /// Resumes from the bytes that an earlier attempt received.
  ///
  /// - Parameters:
  ///   - product: The product identifier.
  ///   - force: Whether to install the same version again, which restores a damaged installation. Files that the app
  ///     added or changed in the product's folder are moved to `.iapkg/kept` in the folder of the products, or stay in
  ///     the previous version.
  /// - Returns: The installed content.
  /// - Throws: `ContentLibraryError`, such as `.notEntitled`, or `.rejected` for a rejected release or a damaged
  ///   installation that is not older, unless `force` restores it; `CancellationError`; the errors of
  ///   `ReleaseFetcher.fetch` in `Delivery`; and those of `ContentService.holdings` or of the token store.
  @discardableResult
  public func install(_ product: String, force: Bool = false) async throws -> InstalledContent {
    let identifier = try identifier(product)
    if let service, try await !service.holdings().entitlements.contains(product) {
      throw ContentLibraryError.notEntitled(product: product)
    }
    return try await installNewest(identifier, force: force)
  }

  /// Updates an installed product.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The updated content; nil if the store has no newer release.
  /// - Throws: `ContentLibraryError.notInstalled`, and the errors of `install`.
  @discardableResult
  public func update(_ product: String) async throws -> InstalledContent? {
    try await fetch(try identifier(product), onlyUpdating: true)
  }

  /// Checks the store for a release that would replace the installed version, without installing it.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The release; nil if there is no newer release.
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

  /// Installs a product without checking the account's entitlements.
  func installNewest(_ product: ProductIdentifier, force: Bool = false) async throws -> InstalledContent {
    guard let content = try await fetch(product, onlyUpdating: false, force: force) else {
      throw ContentLibraryError.notInstalled(product: product.text)
    }
    return content
  }

  /// Fetches a product, unless the installed version is newer, or is the same version and complete.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - isUpdate: Whether the product must be installed already.
  ///   - force: Whether to install the same version again, and to move files that iapkg did not install.
  /// - Returns: The content; nil if an update keeps the installed version.
  /// - Throws: The errors of `install`.
  private func fetch(
    _ product: ProductIdentifier, onlyUpdating isUpdate: Bool, force: Bool = false
  ) async throws -> InstalledContent? {
    let choice = choice
    return try await installing(product, force: force) { [self] fetcher, access in
      let known = try Self.ifDocumentsExist { try InstalledProducts(access).version(of: product) } ?? nil
      guard known != nil || !isUpdate else {
        throw ContentLibraryError.notInstalled(product: product.text)
      }
      // `installed` throws for rejected content. It must throw here, so that the transfer ends as failed.
      return try transfers.tracking(product) {
        let outcome = try fetcher.fetch(
          product, choice, keeping: force ? .newer : .completeOrNewer, for: .installation)
        if case .fetched(let result) = outcome { return try installed(product, result) }
        guard !isUpdate, let known else { return nil }
        // The store may no longer have a release that could restore the version.
        guard try InstalledProducts(access).isComplete(product) else {
          throw ContentLibraryError.rejected(product: product.text, outcome: "damaged", findings: [])
        }
        return InstalledContent(
          product: product.text, version: known.text, folder: folder(of: product.text),
          previousVersion: known.text, transferredBytes: 0, reusedBytes: 0)
      }
    }
  }

  /// Returns the content that a fetch installed.
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

  /// Returns the error for a rejected release.
  static func rejection(of product: ProductIdentifier, _ result: PackageInstaller.Result)
    -> ContentLibraryError
  {
    .rejected(
      product: product.text, outcome: Self.name(of: result.outcome),
      findings: result.report.findings.filter { $0.severity == .error }.map(\.message))
  }

  private static func name(of outcome: PackageInstaller.Outcome) -> String {
    switch outcome {
    case .installed: "installed"
    case .repaired: "repaired"
    case .invalid: "invalid"
    case .upToDate: "up to date"
    case .damaged: "damaged"
    case .otherContent(let version): "other content of version \(version)"
    case .downgradeRefused: "downgrade refused"
    }
  }
}

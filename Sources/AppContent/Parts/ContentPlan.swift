import ContentPackage
import Delivery
public import Foundation
import Installation

/// The plan of a download in parts, which the system can perform while the app is suspended. The plan is on disk, and
/// survives restarts.
///
/// ```swift
/// if let plan = try await library.plan("com.example.book") {
///   for part in try await plan.parts() { start(part) }  // a task of a background URLSession
/// }
/// ```
///
/// Pass each downloaded file to `accept`. After the last file, `finish` installs the product.
public struct ContentPlan: Sendable {
  /// The effect of accepting a file.
  public enum Acceptance: Sendable {
    /// The content of the file is verified and on disk.
    case kept
    /// The part was accepted before; the file is ignored.
    case alreadyKept
  }

  let library: ContentLibrary
  private let identifier: ProductIdentifier
  /// The product identifier.
  public var product: String { identifier.text }
  /// The version to download.
  public let version: String

  init(_ download: ReleaseFetcher.PartedDownload, of library: ContentLibrary) {
    self.library = library
    identifier = download.productIdentifier
    version = download.contentVersion.text
  }

  /// Returns the parts that are not accepted yet, at most 100, with the current token. Does not contact the store.
  ///
  /// - Throws: `PartError.noPlan` after the installation; the errors of `ContentLibrary.status`; and those of
  ///   `ContentService.holdings` or of the token store.
  public func parts() async throws -> [ContentPart] {
    let token = try await library.token()
    return try await library.querying(contactingStore: false) { [self] fetcher in
      guard let download = try fetcher.plannedParts(of: identifier) else {
        throw PartError.noPlan(identifier)
      }
      library.post(download)
      return download.missingParts.compactMap { ContentPart($0, of: product, token: token) }
    }
  }

  /// Verifies a downloaded file and keeps a copy of its content, without contacting the store. Delete the file
  /// afterwards.
  ///
  /// - Parameters:
  ///   - file: The file, with the body of the response.
  ///   - id: The name of the part.
  /// - Returns: Whether the part is newly accepted.
  /// - Throws: `PartError.unknownPart` for an unknown name, or after the installation; `.wrongSize` or `.otherContent`
  ///   for a file that does not match the part; `.noPlan` for a damaged plan; and the errors of
  ///   `ContentLibrary.status`. After an error, the parts accepted before stay accepted.
  @discardableResult
  public func accept(_ file: URL, for id: ContentPart.ID) async throws -> Acceptance {
    try await library.querying(contactingStore: false) { [self] fetcher in
      let acceptance = try fetcher.accept(file.path, forPart: id, of: identifier)
      if let download = try fetcher.plannedParts(of: identifier) { library.post(download) }
      return acceptance == .kept ? .kept : .alreadyKept
    }
  }

  /// Verifies a downloaded file and keeps a copy of its content, like `accept(_:for:)` with the name of the part.
  @discardableResult
  public func accept(_ file: URL, for part: ContentPart) async throws -> Acceptance {
    try await accept(file, for: part.id)
  }

  /// Installs the product once all parts are accepted. Reads the catalog of the store, to detect another release.
  ///
  /// - Returns: The installed content.
  /// - Throws: `PartError.incomplete` with the missing parts; `.releaseChanged` if the store has another release, for
  ///   which `ContentLibrary.plan` makes a new plan; `.noPlan` after the installation; and the errors of
  ///   `ContentLibrary.install`.
  @discardableResult
  public func finish() async throws -> InstalledContent {
    let library = library
    let (identifier, choice) = (identifier, library.choice)
    return try await library.installing(identifier) { fetcher, _ in
      // `installed` throws for rejected content. It must throw here, so that the transfer ends as failed.
      try library.transfers.tracking(identifier) {
        try library.installed(identifier, fetcher.installParts(of: identifier, choice))
      }
    }
  }
}

extension ContentLibrary {
  /// Plans the download of a product in parts. The function can be called again at any time: it keeps a plan of the
  /// same release, and plans only the missing bytes of another release.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The plan; nil if the installed version is higher, or the same and complete.
  /// - Throws: `PartError.noAddress` for a store that is a folder, and the errors of `install`, also for a release that
  ///   would be rejected, and for a damaged installation of its version.
  public func plan(_ product: String) async throws -> ContentPlan? {
    let identifier = try identifier(product)
    let choice = choice
    return try await querying { [self] fetcher in
      do {
        guard let download = try fetcher.planParts(of: identifier, choice) else { return nil }
        post(download)
        return ContentPlan(download, of: self)
      } catch PartError.refused(let result) {
        throw Self.rejection(of: identifier, result)
      }
    }
  }

  /// Returns the plan that an earlier run of the app made, without contacting the store.
  ///
  /// - Parameter product: The product identifier.
  /// - Returns: The plan; nil if there is none.
  /// - Throws: The errors of `status(of:)`.
  public func recordedPlan(for product: String) async throws -> ContentPlan? {
    let identifier = try identifier(product)
    return try await querying(contactingStore: false) { [self] fetcher in
      try fetcher.plannedParts(of: identifier).map { ContentPlan($0, of: self) }
    }
  }

  /// Reports the number of accepted bytes of a download in parts.
  func post(_ download: ReleaseFetcher.PartedDownload) {
    let total = download.parts.reduce(0) { $0 + $1.byteCount }
    let kept = download.parts.reduce(0) { $0 + ($1.isKept ? $1.byteCount : 0) }
    hub.post(
      ContentProgress(
        download.productIdentifier.text, kept > 0 ? .active : .waiting, receivedBytes: kept,
        totalBytes: total))
  }
}

import ContentPackage
import Delivery
public import Foundation
import Installation
import Support

/// The content of an app's purchases on this device.
///
/// ```swift
/// let library = try ContentLibrary(configuration, tokens: FileTokenStore(at: tokenFile))
/// let book = try await library.install("com.example.book")
/// print(book.folder)
/// ```
///
/// Asynchronous functions suspend their task, and block no thread of the cooperative pool. Functions that work on
/// content run one at a time. A cancelled task throws `CancellationError`. At every moment, a product is the old
/// version or the new version.
public final class ContentLibrary: Sendable {
  /// The maximum time to wait for another process that uses the folder, such as an extension of the app.
  private static let lockTimeout = Duration.seconds(3_600)
  static let progressInterval = Duration.milliseconds(100)

  /// The store, and the location of the content on the device.
  public let configuration: LibraryConfiguration
  let service: ContentService?
  let choice: ReleaseChoice
  let hub = ProgressHub()
  let transfers: TransferProgress
  private let tokens: (any TokenStore)?
  private let keys: TrustedKeys?
  private let pauseRequest = PauseRequest()
  private let work = WorkQueue(width: 1)
  private let secrets = WorkQueue(width: 1)

  /// Creates a library for a store that needs no token, or a token that the app obtains by itself.
  ///
  /// - Parameters:
  ///   - configuration: The store, and the location of the content on the device.
  ///   - tokens: The token for the store; nil for a store without tokens.
  /// - Throws: `ContentLibraryError.invalidConfiguration`, and `FileError` or `SignatureError` for the keys.
  public convenience init(_ configuration: LibraryConfiguration, tokens: (any TokenStore)? = nil) throws {
    try self.init(configuration, tokens, nil)
  }

  /// Creates a library of purchased content. The service verifies purchases and renews the token.
  ///
  /// - Parameters:
  ///   - configuration: The store, and the location of the content on the device.
  ///   - service: The service that knows the account's purchases.
  /// - Throws: The errors of `init(_:tokens:)`.
  public convenience init(_ configuration: LibraryConfiguration, service: ContentService) throws {
    try self.init(configuration, nil, service)
  }

  private init(
    _ configuration: LibraryConfiguration, _ tokens: (any TokenStore)?, _ service: ContentService?
  ) throws {
    guard let channel = Channel(configuration.channel) else {
      throw ContentLibraryError.invalidConfiguration("'\(configuration.channel)' is not a channel")
    }
    let appVersion = configuration.appVersion.map { ContentVersion($0) }
    if case .some(nil) = appVersion {
      throw ContentLibraryError.invalidConfiguration("'\(configuration.appVersion ?? "")' is not a version")
    }
    self.configuration = configuration
    self.tokens = tokens
    self.service = service
    keys = try configuration.trust.keys()
    choice = ReleaseChoice(channel: channel, appVersion: appVersion ?? nil)
    transfers = TransferProgress(pausedBy: pauseRequest) { [hub] in hub.post(ContentProgress($0)) }
  }

  /// Returns the folder of a product's content, which exists once the product is installed. For a product that another
  /// program installed in the versioned layout, that is its link to the version in use. The function does not wait.
  public func folder(of product: String) -> URL {
    let path = ProductIdentifier(product).map {
      InstalledProducts.contentPath(of: $0, in: configuration.documents.path)
    }
    return configuration.documents.appendingPathComponent(path ?? product, isDirectory: true)
  }

  /// Returns the progress of a product, or of all products: the current progress, each change of state, and the
  /// received bytes ten times a second. The stream ends when its task is cancelled, or with the library.
  public func progress(of product: String? = nil) -> AsyncStream<ContentProgress> {
    hub.updates(of: product)
  }

  /// Suspends all downloads, and closes their connections. The tasks wait for a call of `resume`.
  public func pause() { pauseRequest.pause() }

  /// Resumes all downloads.
  public func resume() { pauseRequest.resume() }
}

extension ContentLibrary {
  /// Returns a checked product identifier.
  ///
  /// - Throws: `ContentLibraryError.invalidProduct`.
  func identifier(_ product: String) throws -> ProductIdentifier {
    guard let identifier = ProductIdentifier(product) else {
      throw ContentLibraryError.invalidProduct(product)
    }
    return identifier
  }

  /// Runs blocking work on the `Documents` folder, in its turn.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (DocumentsAccess) throws -> Value
  ) async throws -> Value {
    let path = configuration.documents.path
    return try await work.run { cancellation in
      try body(
        DocumentsAccess(
          path: path, makesParents: true, lockTimeout: Self.lockTimeout,
          context: WorkContext(cancellation: cancellation)))
    }
  }

  /// Runs blocking work that installs a product, in its turn, and reports the state of the product from waiting to the
  /// end. With `force`, the fetcher installs over the same version and over files that iapkg did not install.
  func installing<Value: Sendable>(
    _ product: ProductIdentifier, force: Bool = false,
    _ body: @escaping @Sendable (ReleaseFetcher, DocumentsAccess) throws -> Value
  ) async throws -> Value {
    if !hasOpenTransfer(product) { transfers.add([product]) }
    do {
      let token = try await token()
      return try await perform { [self] access in
        let fetcher = try fetcher(access, token: token, transfers, force: force)
        return try transfers.watched(every: Self.progressInterval, after: Self.progressInterval) { _ in
          self.transfers.reportActive()
        } during: {
          try body(fetcher, access)
        }
      }
    } catch {
      if hasOpenTransfer(product) {
        transfers.end(product, error is CancellationError ? .cancelled : .failed)
      }
      throw error
    }
  }

  /// Returns whether a product has a transfer that has not ended.
  private func hasOpenTransfer(_ product: ProductIdentifier) -> Bool {
    transfers.transfers.contains { $0.product == product && !$0.state.isEnd }
  }

  /// Runs blocking work that installs nothing, in its turn.
  ///
  /// - Parameters:
  ///   - contactsStore: Whether the work contacts the store, which may need a token.
  ///   - body: Receives a fetcher that reports no progress.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `token` and of `body`.
  func querying<Value: Sendable>(
    contactingStore contactsStore: Bool = true, _ body: @escaping @Sendable (ReleaseFetcher) throws -> Value
  ) async throws -> Value {
    let token = contactsStore ? try await token() : nil
    return try await perform { [self] in try body(fetcher($0, token: token, TransferProgress())) }
  }

  private func fetcher(
    _ access: DocumentsAccess, token: String?, _ transfers: TransferProgress, force: Bool = false
  ) throws -> ReleaseFetcher {
    let installer = PackageInstaller(
      options: .init(
        force: force, excludesFromBackup: configuration.excludesFromBackups,
        keptVersions: configuration.keptVersions),
      access: access)
    return try ReleaseFetcher(
      from: location, trusting: keys, token: token, installer: installer, transfers: transfers)
  }

  /// The location of the store, in the form that `ReleaseFetcher` expects.
  private var location: String {
    configuration.store.isFileURL ? configuration.store.path : configuration.store.absoluteString
  }

  /// Returns the token for the store; nil for a store without tokens.
  func token() async throws -> String? {
    if let service { return try await service.token() }
    guard let tokens else { return nil }
    return try await secrets.run { _ in try tokens.token()?.value }
  }
}

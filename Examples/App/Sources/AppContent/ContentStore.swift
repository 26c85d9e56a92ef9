import ContentPackage
import Delivery
import Dispatch
import Foundation
import Installation
import Support

/// The content on this device, downloaded from the server's store.
public struct ContentStore: Sendable {
  private let service: ContentService
  private let address: String
  private let keyFile: String
  private let documents: String

  /// - Parameters:
  ///   - service: The API, for the account's entitlements and token.
  ///   - server: The address, such as `https://content.example.com`.
  ///   - keyFile: The public key that signs the catalog; an app has it in its bundle.
  ///   - documents: The folder that gets a folder for each product.
  public init(service: ContentService, server: URL, keyFile: String, documents: String) {
    self.service = service
    address = server.appendingPathComponent("v1").appendingPathComponent("store").absoluteString
    self.keyFile = keyFile
    self.documents = documents
  }

  /// Downloads or updates a product. When this returns, the content is complete and on disk. Bytes that an earlier
  /// attempt received are not downloaded again.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - progress: Receives the progress, several times a second.
  /// - Throws: `NotEntitled`, `NotInstalled`, `Interruption` if the task is cancelled, and the errors of
  ///   `ReleaseFetcher`.
  public func fetch(
    _ product: String, progress: @escaping @Sendable (ProductTransfer) -> Void = { _ in }
  ) async throws {
    let holdings = try await service.holdings()
    guard holdings.entitlements.contains(product), let identifier = ProductIdentifier(product) else {
      throw NotEntitled(product: product)
    }
    let token = try await service.authorized { $0 }
    let cancellation = Cancellation()
    try await withTaskCancellationHandler {
      try await onThread { try fetch(identifier, token, cancellation, progress) }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func fetch(
    _ product: ProductIdentifier, _ token: String, _ cancellation: Cancellation,
    _ progress: @escaping @Sendable (ProductTransfer) -> Void
  ) throws {
    // Another product may be downloading.
    let access = DocumentsAccess(
      path: documents, makesParents: true, lockTimeout: .seconds(3_600),
      context: WorkContext(cancellation: cancellation))
    let transfers = TransferProgress(onChange: progress)
    let fetcher = try ReleaseFetcher(
      from: address, trusting: TrustedKeys.read(keyFile), token: token,
      installer: PackageInstaller(access: access), transfers: transfers)
    let result = try transfers.watched(every: .milliseconds(100), after: .milliseconds(100)) {
      $0.forEach(progress)
    } during: {
      try fetcher.fetch(product)
    }
    switch result.installation.outcome {
    case .installed, .upToDate: return
    default: throw NotInstalled(product: "\(product)", outcome: "\(result.installation.outcome)")
    }
  }

  /// Runs blocking work on a thread outside the cooperative pool.
  private func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { continuation.resume(with: Result { try work() }) }
    }
  }
}

/// The account has not bought the product.
public struct NotEntitled: Error, CustomStringConvertible {
  let product: String

  public var description: String { "the account has not bought \(product)" }
}

/// The content was downloaded but rejected.
public struct NotInstalled: Error, CustomStringConvertible {
  let product: String
  let outcome: String

  public var description: String { "\(product) was not installed: \(outcome)" }
}

import ContentPackage
import Delivery
import Dispatch
import Foundation
import Installation
import Support

/// The content on this device, which comes from the server's store.
public struct ContentStore: Sendable {
  private let service: ContentService
  private let address: String
  private let keyFile: String
  private let documents: String

  /// - Parameters:
  ///   - service: knows what the account may fetch.
  ///   - server: such as `https://content.example.com`.
  ///   - keyFile: the public key that signs the catalog; an app has it in its bundle.
  ///   - documents: the folder that gets a folder for each product.
  public init(service: ContentService, server: URL, keyFile: String, documents: String) {
    self.service = service
    address = server.appendingPathComponent("v1").appendingPathComponent("store").absoluteString
    self.keyFile = keyFile
    self.documents = documents
  }

  /// Fetches a product or brings it up to date. When this returns, the content is whole and on the disk. What an earlier
  /// try has received is not transferred again.
  ///
  /// - Parameters:
  ///   - product: the product.
  ///   - progress: hears how far it is, several times a second.
  /// - Throws: `NotEntitled`, `NotInstalled`, `Interruption` if the task is cancelled, and what `ReleaseFetcher` throws.
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
    // Another product may be on its way.
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

  /// The libraries block; the threads of Swift's tasks must not.
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

/// The content came and is not acceptable.
public struct NotInstalled: Error, CustomStringConvertible {
  let product: String
  let outcome: String

  public var description: String { "\(product) was not installed: \(outcome)" }
}

import ContentPackage
import Delivery

/// The state of a download, modeled on SKDownloadState.
public enum ContentState: String, Sendable, CaseIterable {
  /// The download is waiting for other work of the library, or for the first file of a `ContentPlan`.
  case waiting
  /// The product is being downloaded, or its files are being verified.
  case active
  /// The download is suspended by `ContentLibrary.pause`.
  case paused
  /// The content is complete and on disk.
  case finished
  /// The download failed. The product is unchanged, and the received bytes are kept for the next attempt.
  case failed
  /// The task was cancelled. The product is unchanged, and the received bytes are kept for the next attempt.
  case cancelled
}

/// The progress of a product at one moment.
public struct ContentProgress: Sendable, Equatable {
  /// The product identifier.
  public let product: String
  /// The state of the download.
  public let state: ContentState
  /// The completed fraction, from 0 to 1.
  public let fractionCompleted: Double
  /// The number of bytes that this attempt has received, including catalogs; for a `ContentPlan`, the bytes of the
  /// accepted parts.
  public let receivedBytes: Int64
  /// The expected total of `receivedBytes`; 0 while unknown.
  public let totalBytes: Int64
  /// The current rate; 0 while no bytes arrive.
  public let bytesPerSecond: Int64
  /// The estimated time to completion; nil while unknown.
  public let timeRemaining: Duration?

  init(_ transfer: ProductTransfer) {
    product = transfer.product.text
    state =
      switch transfer.state {
      case .waiting: .waiting
      case .active: .active
      case .paused: .paused
      case .finished: .finished
      case .failed: .failed
      case .cancelled: .cancelled
      }
    fractionCompleted = transfer.fraction
    receivedBytes = transfer.bytes
    totalBytes = transfer.totalBytes
    bytesPerSecond = transfer.bytesPerSecond
    timeRemaining = transfer.secondsRemaining.map { .seconds($0) }
  }

  init(_ product: String, _ state: ContentState, receivedBytes: Int64, totalBytes: Int64) {
    self.product = product
    self.state = state
    self.receivedBytes = receivedBytes
    self.totalBytes = totalBytes
    fractionCompleted = totalBytes > 0 ? min(1, Double(receivedBytes) / Double(totalBytes)) : 0
    bytesPerSecond = 0
    timeRemaining = nil
  }
}

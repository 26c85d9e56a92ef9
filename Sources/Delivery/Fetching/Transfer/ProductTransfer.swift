public import ContentPackage

/// The progress of the transfer of one product, at one moment.
public struct ProductTransfer: Sendable, Equatable {
  /// The state of a transfer, modeled on SKDownloadState.
  public enum State: String, Sendable {
    /// The transfer waits for others.
    case waiting
    /// The transfer downloads, or checks installed files.
    case active
    /// The transfer is suspended until its `PauseRequest` is resumed.
    case paused
    /// The transfer is complete, or nothing had to be transferred.
    case finished
    /// The transfer failed. The product is unchanged, and the received files are kept for a retry.
    case failed
    /// The transfer was cancelled. The product is unchanged, and the received files are kept for a retry.
    case cancelled

    /// Whether the state is final.
    public var isEnd: Bool {
      switch self {
      case .waiting, .active, .paused: false
      case .finished, .failed, .cancelled: true
      }
    }
  }

  /// The product.
  public let product: ProductIdentifier
  /// The state of the transfer.
  public let state: State
  /// Bytes received from the store, including catalogs and other documents.
  public let bytes: Int64
  /// The expected total of `bytes`; 0 while unknown. Never below `bytes`, and higher after damaged bytes are requested
  /// again.
  public let totalBytes: Int64
  /// The current rate in bytes per second; 0 while nothing is received.
  public let bytesPerSecond: Int64
  /// Bytes of the content that need no transfer because they were present locally.
  public let reusedBytes: Int64

  /// Creates the progress of a transfer.
  package init(
    product: ProductIdentifier, state: State, bytes: Int64, totalBytes: Int64, bytesPerSecond: Int64,
    reusedBytes: Int64
  ) {
    self.product = product
    self.state = state
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.bytesPerSecond = bytesPerSecond
    self.reusedBytes = reusedBytes
  }

  /// The completed fraction, from 0 to 1.
  public var fraction: Double {
    if state == .finished { return 1 }
    return totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 0
  }

  /// The estimated time to completion in seconds; nil if unknown.
  public var secondsRemaining: Int64? {
    if state == .finished { return 0 }
    guard state == .active, totalBytes > 0, bytesPerSecond > 0 else { return nil }
    let rest = max(0, totalBytes - bytes)
    return (rest + bytesPerSecond - 1) / bytesPerSecond
  }
}

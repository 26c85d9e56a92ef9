public import ContentPackage

/// How far the transfer of a product is, at one moment.
public struct ProductTransfer: Sendable, Equatable {
  /// What becomes of a transfer, as `SKDownload` told it.
  public enum State: String, Sendable {
    /// Others come first.
    case waiting
    /// Bytes come, or what is there already is looked at.
    case active
    /// Nothing comes until the `PauseRequest` is taken back.
    case paused
    /// The product is installed, or was before.
    case finished
    /// The product is as it was; what was received is kept for another try.
    case failed
    /// The same, because somebody asked for it.
    case cancelled

    /// Whether it stays as it is.
    public var isEnd: Bool {
      switch self {
      case .waiting, .active, .paused: false
      case .finished, .failed, .cancelled: true
      }
    }
  }

  /// The product.
  public let product: ProductIdentifier
  /// What becomes of the transfer.
  public let state: State
  /// Bytes that have come from the store, those of catalogs and the like too.
  public let bytes: Int64
  /// How many are to come in all, at least `bytes`; 0 while that is unknown. It grows where something has to come again.
  public let totalBytes: Int64
  /// How many come in a second; 0 while none do.
  public let bytesPerSecond: Int64
  /// Bytes of the content that are not transferred, because they are there already.
  public let reusedBytes: Int64

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

  /// How far it is, from 0 to 1.
  public var fraction: Double {
    if state == .finished { return 1 }
    return totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 0
  }

  /// Seconds until all bytes have come, as far as can be told; nil while nobody knows.
  public var secondsRemaining: Int64? {
    if state == .finished { return 0 }
    guard state == .active, totalBytes > 0, bytesPerSecond > 0 else { return nil }
    let rest = max(0, totalBytes - bytes)
    return (rest + bytesPerSecond - 1) / bytesPerSecond
  }
}

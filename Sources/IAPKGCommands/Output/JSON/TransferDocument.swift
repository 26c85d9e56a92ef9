import ContentPackage
import Delivery

/// The progress of a product in the output of `--progress json`.
struct TransferDocument: Encodable {
  private static let unknown: Int64 = -1

  let product: String
  /// `waiting`, `active`, `paused`, `finished`, `failed` or `cancelled`.
  let state: String
  /// The completed share, from 0 to 1 in steps of 1/10,000.
  let progress: Double
  let bytes: Int64
  let totalBytes: Int64
  let bytesPerSecond: Int64
  /// The remaining time in seconds; -1 if unknown.
  let timeRemaining: Int64
  /// The bytes copied from installed files.
  let reused: Int64

  init(_ transfer: ProductTransfer) {
    product = transfer.product.text
    state = transfer.state.rawValue
    progress = (transfer.fraction * 10_000).rounded(.down) / 10_000
    bytes = transfer.bytes
    totalBytes = transfer.totalBytes
    bytesPerSecond = transfer.bytesPerSecond
    timeRemaining = transfer.secondsRemaining ?? Self.unknown
    reused = transfer.reusedBytes
  }

  /// The document on one line.
  var line: String { Console.line(json: self) }
}

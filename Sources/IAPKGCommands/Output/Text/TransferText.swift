import ContentPackage
import Delivery

/// The progress text of transfers, with a line for each product.
struct TransferText {
  /// The maximum number of product lines.
  private static let maximumLineCount = 10
  private static let barWidth = 16
  /// The minimum terminal width for a progress bar.
  private static let minimumColumnsForBar = 72

  private let transfers: [ProductTransfer]
  /// The current activity of the active product.
  private let activity: WorkProgress.Activity?

  init(_ transfers: [ProductTransfer], _ activity: WorkProgress.Activity?) {
    self.transfers = transfers
    self.activity = activity
  }

  /// The log lines: active and paused transfers.
  var activeLines: [String] {
    transfers.filter { $0.state == .active || $0.state == .paused }.map { "\($0.product): \(state(of: $0))" }
  }

  /// Returns lines that fit a terminal. If there are too many products, the lines show the products around the active
  /// product: the last completed, the active and the next.
  func lines(columns: Int) -> [String] {
    let first = max(0, (transfers.firstIndex { !$0.state.isEnd } ?? transfers.count) - 2)
    let start = min(first, max(0, transfers.count - Self.maximumLineCount))
    let shown = transfers[start...].prefix(Self.maximumLineCount)
    let width = shown.map { TextLayout.width(of: $0.product.text) }.max() ?? 0
    let hasBar = columns >= Self.minimumColumnsForBar
    var lines = shown.map { transfer in
      let name = transfer.product.text
      let padding = String(repeating: " ", count: width - TextLayout.width(of: name))
      let bar =
        hasBar && transfer.totalBytes > 0 && !transfer.state.isEnd ? "[\(bar(transfer.fraction))] " : ""
      return "\(name)\(padding)  \(bar)\(state(of: transfer))"
    }
    if shown.count < transfers.count {
      let ended = transfers.count { $0.state.isEnd }
      lines.append("\(ended) of \(transfers.count) products are done")
    }
    // Some terminals wrap after a character in the last column.
    return lines.map { TextLayout.prefix(of: $0, columns: columns - 1) }
  }

  private func bar(_ fraction: Double) -> String {
    let done = Int(fraction * Double(Self.barWidth))
    return String(repeating: "#", count: done) + String(repeating: "-", count: Self.barWidth - done)
  }

  private func state(of transfer: ProductTransfer) -> String {
    switch transfer.state {
    case .waiting: return "waiting"
    case .finished: return "done"
    case .failed: return "failed"
    case .cancelled: return "cancelled"
    case .paused:
      return transfer.totalBytes > 0
        ? "paused at \(Quantity.percent(transfer.bytes, of: transfer.totalBytes))" : "paused"
    case .active:
      return ProgressText.text(
        activity.map(ProgressText.name(of:)) ?? "starting", transfer.bytes, of: transfer.totalBytes,
        bytesPerSecond: transfer.bytesPerSecond, secondsRemaining: transfer.secondsRemaining)
    }
  }
}

import ContentPackage
import Support
import Synchronization
import Testing

@testable import Delivery

/// The reported progress of transfers.
struct TransferProgressTests {
  private let first: ProductIdentifier
  private let second: ProductIdentifier

  init() throws {
    first = try #require(ProductIdentifier("com.example.first"))
    second = try #require(ProductIdentifier("com.example.second"))
  }

  /// Records changes, such as "first active".
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func note(_ transfer: ProductTransfer) {
      lines.withLock {
        $0.append("\(transfer.product.text.split(separator: ".").last ?? "") \(transfer.state)")
      }
    }
  }

  @Test func `each change of state is reported once, and the counters are always readable`() throws {
    let log = Log()
    let transfers = TransferProgress(onChange: log.note)
    transfers.add([first, second])
    let meter = TransferMeter()
    try transfers.tracking(first) {
      meter.add(100)
      transfers.begin(first, counting: meter)
      transfers.plan(first, remainingBytes: 300, reusing: 50)
      meter.add(100)
      let transfer = transfers.transfers[0]
      #expect(transfer.bytes == 200 && transfer.totalBytes == 400 && transfer.reusedBytes == 50)
      #expect(transfer.fraction == 0.5)
      #expect(transfers.transfers[1].secondsRemaining == nil)
      meter.add(300)  // some of them again
      #expect(transfers.transfers[0].totalBytes == 500)
    }
    #expect(transfers.transfers[0].fraction == 1 && transfers.transfers[0].secondsRemaining == 0)
    #expect(throws: StoreError.self) {
      try transfers.tracking(second) {
        transfers.begin(second, counting: TransferMeter())
        throw StoreError(.unreachable, "here", "not there")
      }
    }
    let expected = [
      "first waiting", "second waiting", "first active", "first finished", "second active", "second failed",
    ]
    #expect(log.all == expected)
    #expect(transfers.transfers.map(\.state) == [.finished, .failed])
  }

  @Test func `a transfer whose result is a refusal ends as failed`() throws {
    let transfers = TransferProgress()
    let isAccepted = try transfers.tracking(first, succeedingIf: { $0 }) { false }
    #expect(!isAccepted && transfers.transfers.map(\.state) == [.failed])
  }

  @Test func `active transfers are paused while a pause is requested`() {
    let log = Log()
    let request = PauseRequest()
    let transfers = TransferProgress(pausedBy: request, onChange: log.note)
    transfers.add([first, second])
    transfers.begin(first, counting: TransferMeter())
    request.pause()
    request.pause()
    #expect(transfers.transfers.map(\.state) == [.paused, .waiting])
    request.resume()
    #expect(transfers.transfers.map(\.state) == [.active, .waiting])
    transfers.cancel()
    #expect(
      log.all == [
        "first waiting", "second waiting", "first active", "first paused", "first active", "first cancelled",
        "second cancelled",
      ])
  }

  /// A reference to the progress for its own observer.
  private final class Reference: Sendable {
    let progress = Mutex<TransferProgress?>(nil)
  }

  @Test func `a transfer that ends while a pause is reported gets no report after its end`() {
    let (log, request, reference) = (Log(), PauseRequest(), Reference())
    let transfers = TransferProgress(pausedBy: request) { [first, second] transfer in
      log.note(transfer)
      guard transfer.product == first, transfer.state == .paused else { return }
      reference.progress.withLock { $0 }?.end(second, .finished)
    }
    reference.progress.withLock { $0 = transfers }
    defer { reference.progress.withLock { $0 = nil } }
    transfers.begin(first, counting: TransferMeter())
    transfers.begin(second, counting: TransferMeter())
    request.pause()
    transfers.cancel()
    #expect(
      log.all == [
        "first active", "second active", "first paused", "second paused", "second finished",
        "first cancelled",
      ])
  }

  @Test func `transfers are reported again while they are active`() {
    let (log, request) = (Log(), PauseRequest())
    let transfers = TransferProgress(pausedBy: request, onChange: log.note)
    transfers.add([first, second])
    transfers.begin(first, counting: TransferMeter())
    transfers.reportActive()
    request.pause()
    transfers.reportActive()
    request.resume()
    transfers.end(first, .finished)
    transfers.reportActive()
    #expect(
      log.all == [
        "first waiting", "second waiting", "first active", "first active", "first paused", "first active",
        "first finished",
      ])
  }

  @Test func `canceled work is reported as canceled`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let transfers = TransferProgress()
    #expect(throws: Interruption.self) { try transfers.tracking(first) { try cancellation.check() } }
    #expect(throws: StoreError.self) {
      try transfers.tracking(second) { throw StoreError(.cancelled, "here", "stopped") }
    }
    #expect(transfers.transfers.map(\.state) == [.cancelled, .cancelled])
  }
}

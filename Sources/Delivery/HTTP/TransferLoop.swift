internal import CCurl
import Support

/// The transport's thread: it drives all transfers over libcurl's multi interface, and nobody else touches them.
final class TransferLoop: Sendable {
  private struct Orders {
    var begun: [HTTPExchange] = []
    /// Exchanges whose caller has made room.
    var resumed: [HTTPExchange] = []
    var isStopped = false
  }

  private let multi: CurlMulti
  private let settings: HTTPSettings
  private let orders = Monitor(Orders())

  init(_ multi: CurlMulti, _ settings: HTTPSettings) {
    self.multi = multi
    self.settings = settings
  }

  func begin(_ exchange: HTTPExchange) { order { $0.begun.append(exchange) } }
  func resume(_ exchange: HTTPExchange) { order { $0.resumed.append(exchange) } }
  /// Looks for exchanges that were abandoned.
  func review() { order { _ in } }
  /// Ends the thread, and every transfer.
  func stop() { order { $0.isStopped = true } }

  private func order(_ change: (inout Orders) -> Void) {
    orders.update(change)
    multi.wakeUp()
  }

  /// What the thread does until it is stopped.
  func run() {
    var active: [ObjectIdentifier: HTTPTransfer] = [:]
    while true {
      let next = orders.update { orders in
        let taken = orders
        orders.begun = []
        orders.resumed = []
        return taken
      }
      for exchange in next.begun { active[ObjectIdentifier(exchange)] = begin(exchange, next.isStopped) }
      for (key, transfer) in active where next.isStopped || transfer.exchange.isAbandoned {
        multi.remove(transfer.easy)
        active[key] = nil
        transfer.exchange.end(HTTPError(.unreachable, "\(transfer.exchange.request.address) was abandoned"))
      }
      guard !next.isStopped else { return }
      for exchange in next.resumed { active[ObjectIdentifier(exchange)]?.resume() }
      finishEnded(&active)
      multi.wait(milliseconds: Self.longestWait)
    }
  }

  private static let longestWait: CInt = 1000

  /// The transfer of an exchange, or nil if it ended at once.
  private func begin(_ exchange: HTTPExchange, _ isStopped: Bool) -> HTTPTransfer? {
    do throws(HTTPError) {
      let transfer = try HTTPTransfer(exchange, settings)
      try multi.add(transfer.easy)
      return transfer
    } catch {
      exchange.end(error)
      return nil
    }
  }

  private func finishEnded(_ active: inout [ObjectIdentifier: HTTPTransfer]) {
    var ended: [(HTTPTransfer, CURLcode)] = []
    unsafe multi.perform { easy, code in
      let transfer = active.values.first { unsafe $0.easy.pointer == easy }
      if let transfer { ended.append((transfer, code)) }
    }
    for (transfer, code) in ended {
      multi.remove(transfer.easy)
      active[ObjectIdentifier(transfer.exchange)] = nil
      transfer.exchange.end(transfer.error(code))
    }
  }
}

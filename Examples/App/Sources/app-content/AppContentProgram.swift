import AppContent
import Delivery
import Foundation

/// Simulates an app on the command line.
@main struct AppContentProgram {
  private static let usage = """
    usage: app-content SERVER KEYFILE FOLDER COMMAND
    present FILE...      present signed transactions
    deliver FILE...      present them and fetch their content: after that an app finishes them
    entitlements         show what the account holds, and fetch nothing
    fetch PRODUCT        fetch a product, and show how far it is
    spend NAME AMOUNT    spend once
    resume               ask what came of spendings without an answer, as an app does when it starts
    """

  private let service: ContentService
  private let store: ContentStore

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard arguments.count >= 4, let server = URL(string: arguments[0]), server.host != nil else {
        throw UsageError()
      }
      let folder = URL(fileURLWithPath: arguments[2])
      let service = try ContentService(server: server, folder: folder)
      let store = ContentStore(
        service: service, server: server, keyFile: arguments[1],
        documents: folder.appendingPathComponent("Documents").path)
      try await AppContentProgram(service: service, store: store)
        .run(arguments[3], Array(arguments.dropFirst(4)))
    } catch is UsageError {
      fail(usage, 64)
    } catch {
      fail("error: \(error)", 1)
    }
  }

  private func run(_ command: String, _ arguments: [String]) async throws {
    switch (command, arguments.count) {
    case ("present", 1...): try await present(arguments)
    case ("deliver", 1...): for file in arguments { try await deliver(file) }
    case ("entitlements", 0):
      let holdings = try await service.holdings()
      show(holdings.entitlements, holdings.balances)
    case ("fetch", 1):
      try await store.fetch(arguments[0], progress: Self.show)
      Self.say("\(arguments[0]) is installed")
    case ("spend", 2):
      guard let amount = Int64(arguments[1]) else { throw UsageError() }
      try await service.spend(amount, of: arguments[0], apply: Self.show)
    case ("resume", 0): try await service.completeSpendings(apply: Self.show)
    default: throw UsageError()
    }
  }

  private func present(_ files: [String]) async throws {
    let presentation = try await service.present(try files.map(signedTransaction))
    for (file, result) in zip(files, presentation.results) {
      Self.say("\(file): \(result.status)\(result.reason.map { ", \($0)" } ?? "")")
    }
    show(presentation.entitlements, presentation.balances)
  }

  private func deliver(_ file: String) async throws {
    let result = try await PurchaseDelivery(service: service, store: store)
      .deliver(try signedTransaction(in: file), progress: Self.show)
    Self.say("\(file): \(result.status), may be finished")
  }

  private func signedTransaction(in file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func show(_ entitlements: [String], _ balances: [String: Int64]) {
    for product in entitlements { Self.say("entitled to \(product)") }
    for (name, amount) in balances.sorted(by: { $0.key < $1.key }) { Self.say("\(amount) \(name)") }
  }

  @Sendable private static func show(_ transfer: ProductTransfer) {
    say("\(transfer.product) \(transfer.state): \(Int(transfer.fraction * 100)) %")
  }

  @Sendable private static func show(_ spending: Spending, _ spent: Spent) {
    say("\(spent.status) \(spending.amount) \(spending.balance), \(spent.remaining) remain")
  }

  /// Writes a line unbuffered, for readers of a pipe.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}

private struct UsageError: Error {}

import AppContent
import Foundation

/// Simulates an app on the command line.
@main struct AppContentProgram {
  private static let usage = """
    usage: app-content SERVER KEYFILE FOLDER COMMAND
           app-content --store STORE KEYFILE FOLDER COMMAND
    present FILE...      present signed transactions
    deliver FILE...      present signed transactions and install their content; an app then finishes them
    entitlements         show the entitlements and balances of the account
    spend NAME AMOUNT    spend once
    resume               repeat spend requests without a response, as an app does at each start
    install PRODUCT      install a product, and show the progress
    update PRODUCT       update an installed product
    rollback PRODUCT     restore the previous version
    remove PRODUCT       remove a product
    status               show the installed products
    plan PRODUCT         show the parts for the system to download, as JSON lines
    accept PRODUCT PART FILE   keep a downloaded part
    finish PRODUCT       install a product after all of its parts are accepted
    The first five commands need a server; the others work with any store.
    """

  private let service: ContentService?
  private let library: ContentLibrary

  static func main() async {
    var arguments = ArraySlice(CommandLine.arguments.dropFirst())
    let isStore = arguments.first == "--store"
    if isStore { arguments.removeFirst() }
    do {
      guard arguments.count >= 4 else { throw UsageError() }
      let address = arguments.removeFirst()
      let keyFile = arguments.removeFirst()
      let folder = URL(fileURLWithPath: arguments.removeFirst())
      let command = arguments.removeFirst()
      let program = try AppContentProgram(
        address, isStore: isStore, keyFile: URL(fileURLWithPath: keyFile), folder: folder)
      try await program.run(command, Array(arguments))
    } catch is UsageError {
      fail(usage, 64)
    } catch {
      fail("error: \(error)", 1)
    }
  }

  private init(_ address: String, isStore: Bool, keyFile: URL, folder: URL) throws {
    guard let url = URL(string: address), url.host != nil else { throw UsageError() }
    let configuration = LibraryConfiguration(
      documents: folder.appendingPathComponent("Documents"),
      store: isStore ? url : url.appendingPathComponent("v1").appendingPathComponent("store"),
      trust: .keys(in: keyFile))
    guard !isStore else {
      service = nil
      library = try ContentLibrary(configuration)
      return
    }
    let tokens = FileTokenStore(at: folder.appendingPathComponent("token.json"))
    let service = try ContentService(server: url, folder: folder, tokens: tokens)
    self.service = service
    library = try ContentLibrary(configuration, service: service)
  }

  private func run(_ command: String, _ arguments: [String]) async throws {
    switch (command, arguments.count) {
    case ("install", 1):
      let content = try await showingProgress { try await library.install(arguments[0]) }
      Self.say("\(content.product) \(content.version) is installed")
    case ("update", 1):
      let content = try await showingProgress { try await library.update(arguments[0]) }
      Self.say(content.map { "\($0.product) \($0.version) is installed" } ?? "there is no newer release")
    case ("rollback", 1):
      Self.say("\(arguments[0]) \(try await library.rollBack(arguments[0])) is restored")
    case ("remove", 1): try await library.remove(arguments[0])
    case ("status", 0): try await status()
    case ("plan", 1): try await plan(arguments[0])
    case ("accept", 3):
      let plan = try await recordedPlan(arguments[0])
      Self.say("\(try await plan.accept(URL(fileURLWithPath: arguments[2]), for: arguments[1]))")
    case ("finish", 1):
      let plan = try await recordedPlan(arguments[0])
      let content = try await showingProgress { try await plan.finish() }
      Self.say("\(content.product) \(content.version) is installed")
    default:
      guard let service else { throw UsageError() }
      try await run(command, arguments, service)
    }
  }

  private func run(_ command: String, _ arguments: [String], _ service: ContentService) async throws {
    switch (command, arguments.count) {
    case ("present", 1...): try await present(arguments, to: service)
    case ("deliver", 1...):
      for file in arguments {
        let transaction = try signedTransaction(in: file)
        let result = try await showingProgress { try await library.deliver(transaction) }
        Self.say("\(file): \(result.status), may be finished")
      }
    case ("entitlements", 0):
      let holdings = try await service.holdings()
      show(holdings.entitlements, holdings.balances)
    case ("spend", 2):
      guard let amount = Int64(arguments[1]) else { throw UsageError() }
      try await service.spend(amount, of: arguments[0], apply: Self.show)
    case ("resume", 0): try await service.completeSpendings(apply: Self.show)
    default: throw UsageError()
    }
  }

  private func present(_ files: [String], to service: ContentService) async throws {
    let presentation = try await service.present(try files.map(signedTransaction))
    for (file, result) in zip(files, presentation.results) {
      Self.say("\(file): \(result.status)\(result.reason.map { ", \($0)" } ?? "")")
    }
    show(presentation.entitlements, presentation.balances)
  }

  private func status() async throws {
    for one in try await library.statuses() {
      let version = one.version.map { "\($0)\(one.isIntact ? "" : ", damaged")" } ?? "not installed"
      let previous = one.previousVersions.map { ", before \($0)" }.joined()
      Self.say(
        "\(one.product): \(version)\(previous)\(one.downloadedBytes == nil ? "" : ", a download is unfinished")"
      )
    }
  }

  private func plan(_ product: String) async throws {
    guard let plan = try await library.plan(product) else { return }
    for part in try await plan.parts() {
      Self.say(String(decoding: try JSONEncoder().encode(part), as: UTF8.self))
    }
  }

  private func recordedPlan(_ product: String) async throws -> ContentPlan {
    guard let plan = try await library.recordedPlan(for: product) else { throw NoPlan(product: product) }
    return plan
  }

  private func signedTransaction(in file: String) throws -> SignedTransaction {
    SignedTransaction(
      try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func show(_ entitlements: [String], _ balances: [String: Int64]) {
    for product in entitlements { Self.say("entitled to \(product)") }
    for (name, amount) in balances.sorted(by: { $0.key < $1.key }) { Self.say("\(amount) \(name)") }
  }

  /// Performs work, and meanwhile shows the progress of all products.
  private func showingProgress<Value>(_ work: () async throws -> Value) async throws -> Value {
    let updates = library.progress()
    let watching = Task {
      for await update in updates {
        Self.say("\(update.product) \(update.state): \(Int(update.fractionCompleted * 100)) %")
      }
    }
    defer { watching.cancel() }
    return try await work()
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

private struct NoPlan: Error, CustomStringConvertible {
  let product: String

  var description: String { "\(product) has no plan; make one with plan" }
}

import ArgumentParser
import Delivery
import Entitlements
import SafeFiles
import Support

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the options of 'run'.",
    discussion: """
      Reads all options. If they are valid, it tries the address, the database, the store, the keys and the clock. \
      It reports every problem, and then exits with 78. An address in use is only a warning, because a server with \
      these options may be running.
      """)

  @OptionGroup var options: ServerOptions

  func run() async throws {
    var problems = OptionVariables.problems()
    do {
      problems += await self.problems(of: ServiceFactory(settings: try ServerSettings(options)))
    } catch {
      problems += CommandFailure(error).messages
    }
    guard problems.isEmpty else { throw CommandFailure(.configuration, problems) }
    try CommandOutput.write(Array("the configuration is valid".utf8))
  }

  /// Returns the problems with the resources that the options name.
  private func problems(of factory: ServiceFactory) async -> [String] {
    var problems: [String] = []
    func attempt(_ check: () async throws -> Void) async {
      do { try await check() } catch { problems += CommandFailure(error).messages }
    }
    await attempt { try checkAppIdentifier(factory.settings) }
    await attempt { try await checkAddress(factory.settings.listenAddress) }
    await attempt {
      let ledger = try await factory.ledger()
      defer { ledger.close() }
      try await factory.throwDifferences { () async throws(LedgerError) -> [AuditDifference] in
        try await ledger.probe()
        return try await ledger.structuralDifferences()
      }
      try await checkDurability(ledger)
    }
    await attempt { _ = try factory.verifierSettings() }
    await attempt { _ = try await factory.tokens() }
    await attempt { _ = try factory.adminToken() }
    await attempt { _ = try factory.receipts() }
    await attempt { try checkStore(factory) }
    await attempt { try factory.checkClock() }
    return problems
  }

  /// Reports a missing Apple ID. With a testing root, which never signs production purchases, prints only a warning.
  private func checkAppIdentifier(_ settings: ServerSettings) throws(CommandFailure) {
    guard let message = settings.missingAppIdentifier else { return }
    guard settings.testingRoot != nil else { throw CommandFailure(.configuration, message) }
    _ = StandardStream.error.write(Array("warning: \(message)\n".utf8))
  }

  /// Prints a warning for each PostgreSQL setting with which a power failure can lose entries.
  private func checkDurability(_ ledger: Ledger) async throws(LedgerError) {
    for setting in try await ledger.disabledDurabilitySettings() {
      let warning = "warning: PostgreSQL runs with \(setting)=off, so a power failure can lose purchases\n"
      _ = StandardStream.error.write(Array(warning.utf8))
    }
  }

  private func checkAddress(_ address: ListenAddress) async throws(CommandFailure) {
    guard try await !address.isFree() else { return }
    let warning = "warning: \(address) is in use, perhaps by a running server with these options\n"
    _ = StandardStream.error.write(Array(warning.utf8))
  }

  private func checkStore(_ factory: ServiceFactory) throws {
    let (content, store) = try factory.store()
    if case .folder(let folder) = content, (try? DirectoryHandle.open(folder.path)) == nil {
      throw CommandFailure(
        .configuration, "\(String(displaying: store.name.utf8)) is not a folder that can be read")
    }
    guard try StoreReader(store).catalog() != nil else {
      throw CommandFailure(
        .configuration,
        "\(String(displaying: store.name.utf8)) has no catalog; make one with 'iapkg publish --to "
          + "\(String(displaying: factory.settings.store.utf8))'"
      )
    }
    _ = try ProductList(store).document()
  }
}

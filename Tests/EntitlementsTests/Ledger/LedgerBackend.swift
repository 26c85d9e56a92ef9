import TestSupport
import Testing

@testable import Entitlements

/// The databases on which the whole suite runs.
enum LedgerBackend: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  case postgres

  /// The backends on this machine: PostgreSQL is omitted if it is not installed.
  static var available: [Self] { allCases.filter { $0 == .sqlite || PostgresCluster.programs != nil } }

  var testDescription: String { rawValue }
}

/// An empty database for one test.
final class TestDatabase: Sendable {
  let location: DatabaseLocation
  private let folder: TemporaryFolder?

  init(_ backend: LedgerBackend) throws {
    switch backend {
    case .postgres:
      folder = nil
      location = .postgres(try PostgresCluster.shared.get().makeDatabase())
    case .sqlite:
      let folder = try TemporaryFolder()
      self.folder = folder
      location = .file(folder.place("ledger.sqlite"))
    }
  }

  func open(_ settings: LedgerSettings = .tests) async throws -> Ledger {
    try await Ledger.open(location, settings)
  }
}

extension LedgerSettings {
  /// Some products, and a clock with a constant time.
  static let tests = {
    var settings = LedgerSettings(products: .tests, connections: 4, clock: { Forged.now })
    // Hundreds of tests at the same time delay requests for minutes.
    settings.requestTimeout = .seconds(600)
    return settings
  }()

  static func tests(_ policy: OtherAccountPolicy) -> LedgerSettings {
    var settings = LedgerSettings.tests
    settings.onOtherAccount = policy
    return settings
  }
}

extension ProductCatalog {
  static let tests = ProductCatalog(offers: [
    "coins": .credits(["coins": 100]), "chest": .credits(["coins": 7, "gems": 3]),
    "book": .entitlement,
  ])
}

extension Ledger {
  /// Runs a statement that the ledger itself never runs.
  func run(_ statement: String, _ values: [SQLValue] = []) async throws {
    try await database.write { (connection) throws(LedgerError) in try connection.run(statement, values) }
  }

  func coins(of account: String, in environment: StoreEnvironment = .production) async throws -> Int64? {
    try await balances(of: account, in: environment)["coins"]
  }

  func products(of account: String, in environment: StoreEnvironment = .production) async throws -> [String] {
    try await entitlements(of: account, in: environment).map(\.productIdentifier)
  }
}

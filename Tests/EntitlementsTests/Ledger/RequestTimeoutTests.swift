import Testing

@testable import Entitlements

@Suite("The timeout of a request") struct RequestTimeoutTests {
  @Test(arguments: LedgerBackend.available)
  func `a request that reads or writes fails if it does not begin in time`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    var settings = LedgerSettings.tests
    settings.requestTimeout = .zero
    let ledger = try await database.open(settings)
    let late = LedgerError.unavailable(reason: "it did not begin the request in time")
    await #expect(throws: late) { try await ledger.coins(of: "me") }
    await #expect(throws: late) { try await ledger.present([Forged.coins()]) }
    // An audit has no limit.
    let report = try await ledger.audit()
    #expect(report.isConsistent && report.entries == 0)
  }
}

import Testing

@testable import Entitlements

@Suite("The timeout of a request") struct RequestTimeoutTests {
  @Test(arguments: LedgerBackend.available)
  func `a request that writes fails if it does not begin in time`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    await #expect(throws: LedgerError.late) {
      try await ledger.database.write(within: .zero) {
        (_: any LedgerConnection) throws(LedgerError) -> Void in
      }
    }
    // An audit has no limit.
    let report = try await ledger.audit()
    #expect(report.isConsistent && report.entries == 0)
    withExtendedLifetime(database) {}
  }
}

import Entitlements
import Testing

@Suite("A purchase") struct PurchaseTests {
  @Test func `that is revoked without a share is revoked whole`() {
    #expect(Purchase.Revocation(date: 1).share == 100_000)
  }
}

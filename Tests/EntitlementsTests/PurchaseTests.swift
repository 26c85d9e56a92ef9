import Entitlements
import Testing

@Suite("A purchase") struct PurchaseTests {
  @Test("that is revoked without a share is revoked whole")
  func wholeRevocation() {
    #expect(Purchase.Revocation(date: 1).share == 100_000)
  }
}

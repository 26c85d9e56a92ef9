import Entitlements
import Testing

@Suite("A purchase") struct PurchaseTests {
  @Test func `a revocation without a share revokes the whole purchase`() {
    #expect(Purchase.Revocation(date: 1).share == 100_000)
  }
}

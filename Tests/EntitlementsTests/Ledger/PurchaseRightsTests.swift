import Testing

@testable import Entitlements

@Suite("The rights of a purchase") struct PurchaseRightsTests {
  private func state(
    _ identifier: String = "1", quantity: Int64 = 1, signed: Int64 = 1, expires: Int64? = nil,
    share: Int64? = nil
  ) -> TransactionState {
    TransactionState(
      identifier: identifier, product: "p", quantity: quantity, signedDate: signed,
      expiresDate: expires,
      revocationDate: share == nil ? nil : 9, revocationShare: share)
  }

  @Test(
    arguments: [
      (1, 100, nil, 100), (3, 100, nil, 300), (3, 100, 0, 300), (3, 100, 100_000, 0),
      (1, 100, 40_000, 60),
      (1, 3, 50_000, 2), (1, 1, 99_999, 1), (7, 1, 33_333, 5), (1, 1_000_000_000, 1, 999_990_000),
      (10_000_000, 100, 99_999, 10_000),
    ] as [(Int64, Int64, Int64?, Int64)])
  func `credits follow from the quantity that is not refunded, and refunds are rounded down`(
    _ quantity: Int64, _ unit: Int64, _ share: Int64?, _ expected: Int64
  ) {
    let rights = PurchaseRights(
      transactions: [state(quantity: quantity, share: share)], units: ["coins": unit])
    #expect(rights.credits == ["coins": expected])
    #expect(rights.products == [:])
  }

  @Test func `the newest transaction, or the last period that is not revoked, determines the entitlement`() {
    func products(_ states: [TransactionState]) -> [String: Int64?] {
      PurchaseRights(transactions: states, units: [:]).products
    }
    #expect(products([]) == [:])
    #expect(products([state()]) == ["p": nil])
    #expect(products([state(share: 1)]) == [:])
    #expect(products([state(share: 0)]) == ["p": nil])
    #expect(products([state("1", signed: 2, share: 100_000), state("2")]) == [:])
    #expect(products([state("1", share: 100_000), state("2", signed: 2)]) == ["p": nil])
    #expect(products([state("1", expires: 5), state("2", expires: 9)]) == ["p": 9])
    #expect(products([state("1", expires: 5), state("2", expires: 9, share: 1)]) == ["p": 5])
  }
}

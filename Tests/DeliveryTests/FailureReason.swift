@testable import Delivery

/// Why a store did not do what `body` asks of it; nil if it did, or if another error came.
func reason(_ body: () throws -> Void) -> StoreError.Reason? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreError)?.reason
  }
}

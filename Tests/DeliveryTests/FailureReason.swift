@testable import Delivery

/// Returns the reason of the store error that `body` throws; nil for success or another error.
func reason(_ body: () throws -> Void) -> StoreError.Reason? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreError)?.reason
  }
}

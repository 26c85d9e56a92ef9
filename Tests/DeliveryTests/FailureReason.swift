import Testing

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

/// Checks that `body` throws an `IntegrityError` whose description contains `text`.
func expectIntegrityError(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: IntegrityError.self, sourceLocation: sourceLocation) { try body() }
  let description = error?.description ?? text
  #expect(description.contains(text), sourceLocation: sourceLocation)
}

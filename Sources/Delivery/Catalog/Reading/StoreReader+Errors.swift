/// The errors of objects that do not match the catalog.
extension StoreReader {
  /// Returns the error for an object that the catalog refers to and the store lacks.
  static func missing(_ place: String) -> StoreError {
    StoreError(.missing, place, missingMessage(at: place) + StoreError.laterHint)
  }

  static func missingMessage(at place: String) -> String {
    "\(place) is missing, although the catalog refers to it: the store has changed meanwhile, or this copy has a "
      + "new catalog without its objects"
  }

  /// Returns the message for an object that ends before a range that it should contain according to the catalog.
  static func shortMessage(at place: String, _ range: Range<Int64>) -> String {
    "\(place) is shorter than the catalog states: it ends before byte \(range.lowerBound), expected at least "
      + "\(range.upperBound) bytes; a mirror or cache may still have an older object"
  }

  /// Returns the error for an object that was compressed in transit; nil without a content encoding.
  static func encodingError(_ place: String, _ encoding: String?) -> StoreError? {
    encoding.map { StoreError(.invalidResponse, place, encodedMessage(at: place, $0)) }
  }

  static func encodedMessage(at place: String, _ encoding: String) -> String {
    "\(place) came with Content-Encoding: \(encoding), which the request did not ask for; the server or a proxy "
      + "must not compress it"
  }

  static func digestMismatch(_ place: String) -> IntegrityError {
    IntegrityError(place, "does not match the catalog: its SHA-256 differs")
  }

  static func tooLarge(_ place: String, _ limit: Int64) -> IntegrityError {
    IntegrityError(place, "has more than \(limit) bytes, the maximum")
  }
}

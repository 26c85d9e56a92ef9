import Support

/// An object of a store that does not match its signature or its reference.
public struct IntegrityError: Error, Sendable, CustomStringConvertible {
  /// The address of the object; safe to print.
  public let place: String
  /// One lower-case sentence without a full stop, safe to print.
  public let description: String
  /// The action that resolves the error; nil if there is none.
  public let advice: StoreAdvice?
  /// Whether intact objects contradict each other, which another download cannot change.
  let isLasting: Bool

  /// Creates an error whose message is `place` followed by `found`, such as "is not signed". Neither text needs to be
  /// safe to print.
  package init(_ place: String, _ found: String, advice: StoreAdvice? = nil) {
    self.init(place, found, advice: advice, isLasting: false)
  }

  init(_ place: String, _ found: String, advice: StoreAdvice? = nil, isLasting: Bool) {
    self.advice = advice
    self.isLasting = isLasting
    self.place = String(displaying: place.utf8)
    description = String(displaying: "\(place) \(found)".utf8)
  }
}

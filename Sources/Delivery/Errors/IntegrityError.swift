import Support

/// An object of a store that does not match its signature or its reference.
public struct IntegrityError: Error, Sendable, CustomStringConvertible {
  /// The address of the object; safe to print.
  public let place: String
  /// One lower-case sentence without a full stop, safe to print.
  public let description: String
  /// The action that resolves the error; nil if there is none.
  public let advice: StoreAdvice?

  package init(_ place: String, _ found: String, advice: StoreAdvice? = nil) {
    self.advice = advice
    self.place = String(displaying: place.utf8)
    description = String(displaying: "\(place) \(found)".utf8)
  }
}

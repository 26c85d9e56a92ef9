import Support

/// What lies in a store is not what was signed or promised.
public struct Untrustworthy: Error, Sendable, CustomStringConvertible {
  /// The object; safe to print.
  public let place: String
  /// One lower-case sentence without a full stop, safe to print.
  public let description: String

  package init(_ place: String, _ found: String) {
    self.place = String(displaying: place.utf8)
    description = String(displaying: "\(place) \(found)".utf8)
  }
}

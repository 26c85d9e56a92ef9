/// The audience of a release: `stable` for all users, any other channel for users who select it.
public struct Channel: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of characters of a name.
  public static let maximumLength = 64
  /// The default channel, for all users.
  public static let stable = Channel(unchecked: "stable")

  /// The name.
  public let text: String
  /// The name.
  public var description: String { text }

  private init(unchecked text: String) { self.text = text }

  /// Creates a channel with the given name.
  ///
  /// - Returns: Nil unless `text` is 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with `.` or `-`.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, ProductIdentifier(text) != nil else { return nil }
    self.text = text
  }
}

/// Where a purchase was made, by the App Store's own word for it. Words that are not known yet are kept as they are.
public struct StoreEnvironment: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let production = Self(rawValue: "Production")
  public static let sandbox = Self(rawValue: "Sandbox")
  /// StoreKit testing in Xcode, signed under a root of the developer's own.
  public static let xcode = Self(rawValue: "Xcode")
  /// StoreKit testing in unit tests, signed as in Xcode.
  public static let localTesting = Self(rawValue: "LocalTesting")

  /// All that have a name here.
  public static let known = [production, sandbox, xcode, localTesting]

  /// Whether it is a developer's own machine, for which only a testing root vouches.
  public var isLocal: Bool { self == .xcode || self == .localTesting }
}

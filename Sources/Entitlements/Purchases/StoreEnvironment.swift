/// The environment of a purchase, with the App Store's string as its raw value. Unknown strings are preserved.
public struct StoreEnvironment: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let production = Self(rawValue: "Production")
  public static let sandbox = Self(rawValue: "Sandbox")
  /// StoreKit testing in Xcode, signed under a developer's own root.
  public static let xcode = Self(rawValue: "Xcode")
  /// StoreKit testing in unit tests, signed like Xcode's.
  public static let localTesting = Self(rawValue: "LocalTesting")

  /// All environments with a constant in this type.
  public static let known = [production, sandbox, xcode, localTesting]

  /// Returns the environment that takes precedence: production, otherwise the first by name; nil if there are none.
  public static func preferred(among environments: some Collection<Self>) -> Self? {
    environments.contains(production) ? production : environments.min { $0.rawValue < $1.rawValue }
  }

  /// Whether purchases come from a developer's own machine. Only testing roots are valid for them.
  public var isLocal: Bool { self == .xcode || self == .localTesting }
}

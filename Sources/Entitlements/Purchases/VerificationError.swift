import Support

/// Why something that claims to be signed by the App Store is not believed.
public struct VerificationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What does not hold. The raw values are for programs and stay as they are.
  public enum Reason: String, Sendable, CaseIterable {
    /// It is no signed transaction or notification: not three parts, not base64url, not JSON, too large, a key that
    /// stands twice, or a field that has to be there and is not, or has an impossible value.
    case malformed
    /// It is signed with another algorithm than ES256, or with a key that is not for it.
    case algorithm
    /// The certificates do not lead from a signing certificate of the App Store over an intermediate one to a root that
    /// is trusted.
    case chain
    /// The certificates are right, but were not valid when the payload was signed.
    case expired
    /// The signature is not that of the certificate's key over these bytes.
    case signature
    /// The payload is for another app, or does not say for which.
    case bundleIdentifier = "bundle-identifier"
    /// The payload is from an environment that is not accepted, or its parts are from different ones.
    case environment
    /// Online checks were asked for, and nobody could say whether a certificate was revoked. A later try may succeed.
    case unavailable
    /// A notification of the production environment is for another Apple ID of an app.
    case appIdentifier = "app-identifier"
  }

  public let reason: Reason
  /// One lower-case sentence without a full stop, safe to print.
  public let message: String
  /// Whether it may hold with other settings: for another app or environment, or with an Apple ID to compare with.
  public let dependsOnSettings: Bool
  public var description: String { message }

  init(_ reason: Reason, _ message: String, dependsOnSettings: Bool = false) {
    self.reason = reason
    self.dependsOnSettings = dependsOnSettings
    self.message = String(displaying: message.utf8)
  }
}

import Support

/// The reason for rejecting data that claims to be signed by the App Store.
public struct VerificationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The check that failed. The raw values are a stable interface for programs.
  public enum Reason: String, Sendable, CaseIterable {
    /// The data is not a signed transaction or notification: not three parts, not base64url, not JSON, too large, a
    /// duplicate key, a missing required field, or an invalid value.
    case malformed
    /// The algorithm is not ES256, or the key is not for ES256.
    case algorithm
    /// The certificates do not lead from a signing certificate of the App Store through an intermediate one to a
    /// trusted root, or one of them was revoked.
    case chain
    /// The certificates are correct, but were not valid when the payload was signed, or are no longer valid in online
    /// checks.
    case expired
    /// The signature does not match the certificate's key and these bytes.
    case signature
    /// The payload is for another app, or names no app.
    case bundleIdentifier = "bundle-identifier"
    /// The payload's environment is missing or not accepted, or its parts have different environments.
    case environment
    /// Online checks are enabled, and the revocation status of a certificate is unknown. A retry may succeed.
    case unavailable
    /// A notification of the production environment does not name the app's Apple ID, or the settings have none.
    case appIdentifier = "app-identifier"
  }

  public let reason: Reason
  /// One lower-case sentence without a full stop, safe to print.
  public let message: String
  /// Whether other settings could accept the data: another app, environment, kind of root or Apple ID, or no online
  /// checks.
  public let dependsOnSettings: Bool
  public var description: String { message }

  package init(_ reason: Reason, _ message: String, dependsOnSettings: Bool = false) {
    self.reason = reason
    self.dependsOnSettings = dependsOnSettings
    self.message = String(displaying: message.utf8)
  }
}

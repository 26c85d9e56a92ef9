/// Verifies data that the App Store signed for one app. Uses the network only for `onlineChecks`.
///
/// A verifier can be used concurrently. Keep and reuse it: it caches verified certificates.
public struct PurchaseVerifier: Sendable {
  /// The accepted app, environments and certificates.
  public struct Settings: Sendable {
    /// The bundle identifier that every payload must name.
    public var bundleIdentifier: String
    /// The accepted environments. Testing roots additionally permit `Xcode` and `LocalTesting`.
    public var environments: Set<StoreEnvironment>
    /// The Apple ID that every notification of the production environment must name. If nil, all such notifications are
    /// rejected.
    public var appIdentifier: Int64?
    /// The roots at which certificate chains must end.
    public var roots: [RootCertificate]
    /// A developer's own roots, from Xcode or `iapkg-server testing`. They are valid for the accepted environments except
    /// `Production`. Only they are valid for `Xcode` and `LocalTesting`.
    public var testingRoots: [RootCertificate]
    /// Checks that chains are valid at present too; nil to require validity only at the time of signing. Does not apply
    /// to Xcode's own certificates.
    public var onlineChecks: OnlineChecks?

    public init(
      bundleIdentifier: String, environments: Set<StoreEnvironment>, appIdentifier: Int64? = nil,
      roots: [RootCertificate], testingRoots: [RootCertificate] = []
    ) {
      self.bundleIdentifier = bundleIdentifier
      self.environments = environments
      self.appIdentifier = appIdentifier
      self.roots = roots
      self.testingRoots = testingRoots
    }
  }

  let settings: Settings
  let chains: ChainVerifier

  public init(_ settings: Settings) {
    self.settings = settings
    chains = ChainVerifier(
      roots: settings.roots, testingRoots: settings.testingRoots, onlineChecks: settings.onlineChecks)
  }

  /// The environments whose purchases the verifier accepts.
  public var acceptedEnvironments: [StoreEnvironment] {
    StoreEnvironment.known.filter {
      $0.isLocal ? !settings.testingRoots.isEmpty : settings.environments.contains($0)
    }
  }

  /// Verifies a signed transaction: a JSON Web Signature in its compact form, without surrounding text.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func transaction(_ signed: [UInt8]) async throws(VerificationError) -> Purchase {
    try await verifiedTransaction(signed).purchase
  }

  /// Verifies a signed notification (`signedPayload` of the App Store's request) and each signed part of it.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func notification(_ signed: [UInt8]) async throws(VerificationError) -> PurchaseEvent {
    try await verifiedNotification(signed).event
  }

  /// Verifies a signed transaction or notification, detecting which of the two it is.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func document(_ signed: [UInt8]) async throws(VerificationError) -> VerifiedDocument {
    if NotificationPayload.isNotification(try SignedData(signed).payload) {
      let notification = try await verifiedNotification(signed)
      return VerifiedDocument(json: notification.json, transaction: notification.transaction)
    }
    return VerifiedDocument(json: try await verifiedTransaction(signed).json, transaction: nil)
  }
}

/// The verified JSON of a signed transaction or notification.
public struct VerifiedDocument: Sendable, Equatable {
  /// The exact bytes of the payload's JSON.
  public let json: [UInt8]
  /// The JSON of the transaction in a notification, which has its own signature; nil without such a transaction.
  public let transaction: [UInt8]?
}

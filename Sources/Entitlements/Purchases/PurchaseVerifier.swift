/// Decides whether bytes are what the App Store signed for one app. It asks nobody but with `onlineChecks`.
///
/// A value can be used from any number of tasks at the same time, and is meant to be kept: it remembers the certificates
/// that it has verified.
public struct PurchaseVerifier: Sendable {
  /// What is believed.
  public struct Settings: Sendable {
    /// The app's bundle identifier, which every payload has to name.
    public var bundleIdentifier: String
    /// Accepted beside those that belong to testing roots.
    public var environments: Set<StoreEnvironment>
    /// The app's Apple ID, which every notification of the production environment has to name. Without it, none of them
    /// is accepted.
    public var appIdentifier: Int64?
    /// What certificates have to lead to.
    public var roots: [RootCertificate]
    /// A developer's own roots: of Xcode, or of `iapkg-server testing`. They vouch for the accepted environments but
    /// `Production`, and for `Xcode` and `LocalTesting`, for which nobody else does.
    public var testingRoots: [RootCertificate]
    /// Has chains checked at the present too; nil for chains that need only have been valid when they signed. Xcode's own
    /// certificates are not looked at.
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

  /// Verifies a signed transaction: a JSON Web Signature in its compact form, and nothing around it.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func transaction(_ signed: [UInt8]) async throws(VerificationError) -> Purchase {
    try await verifiedTransaction(signed).purchase
  }

  /// Verifies a signed notification, and on its own each part of it that is signed: `signedPayload` of what the App
  /// Store posts.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func notification(_ signed: [UInt8]) async throws(VerificationError) -> PurchaseEvent {
    try await verifiedNotification(signed).event
  }

  /// Verifies a signed transaction or notification, whichever it is.
  ///
  /// - Throws: `VerificationError`, with the first reason found.
  public func document(_ signed: [UInt8]) async throws(VerificationError) -> VerifiedDocument {
    if NotificationPayload.isOne(in: try SignedData(signed).payload) {
      let notification = try await verifiedNotification(signed)
      return VerifiedDocument(json: notification.json, transaction: notification.transaction)
    }
    return VerifiedDocument(json: try await verifiedTransaction(signed).json, transaction: nil)
  }
}

/// What was signed, in its own words.
public struct VerifiedDocument: Sendable, Equatable {
  /// The payload's JSON, byte by byte as it was signed.
  public let json: [UInt8]
  /// That of the transaction in a notification, which is signed on its own.
  public let transaction: [UInt8]?
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

// The order of the checks determines the error: the first failure is thrown.
extension PurchaseVerifier {
  /// A payload with a trusted signature.
  struct VerifiedPayload<Payload: SignedPayload> {
    let payload: Payload
    let json: [UInt8]
    let isTesting: Bool
  }

  func verifiedTransaction(
    _ signed: [UInt8]
  ) async throws(VerificationError) -> (purchase: Purchase, json: [UInt8]) {
    let verified = try await verified(signed, as: TransactionPayload.self)
    try checkBundleIdentifier(verified.payload.bundleIdentifier)
    try checkEnvironment(verified.payload.environment, isTesting: verified.isTesting)
    return (try verified.payload.purchase(), verified.json)
  }

  func verifiedNotification(
    _ signed: [UInt8]
  ) async throws(VerificationError) -> (event: PurchaseEvent, json: [UInt8], transaction: [UInt8]?) {
    let verified = try await verified(signed, as: NotificationPayload.self)
    let payload = verified.payload
    let subject = payload.subject
    try checkBundleIdentifier(subject?.bundleIdentifier)
    let environment = try checkEnvironment(subject?.environment, isTesting: verified.isTesting)
    if environment == .production { try checkAppIdentifier(subject?.appIdentifier) }
    let renewal = try await renewal(subject?.signedRenewal, from: environment)
    let transaction = try await transaction(subject?.signedTransaction, from: environment)
    guard let identifier = payload.identifier, !identifier.isEmpty, let type = payload.type,
      let signedDate = payload.signedDate
    else {
      throw VerificationError(
        .malformed, "the notification has no notificationUUID, notificationType or signedDate")
    }
    var event = PurchaseEvent(
      identifier: identifier.lowercased(), type: type, subtype: payload.subtype, environment: environment,
      signedDate: signedDate, purchase: transaction?.purchase)
    if let renewal, let signedDate = renewal.signedDate,
      renewal.originalTransactionIdentifier == event.purchase?.originalTransactionIdentifier
    {
      event.renewal = PurchaseEvent.Renewal(signedDate: signedDate, gracePeriodEnd: renewal.gracePeriodEnd)
    }
    return (event, verified.json, transaction?.json)
  }

  /// Verifies the transaction in a notification by its own signature.
  private func transaction(
    _ signed: String?, from environment: StoreEnvironment
  ) async throws(VerificationError) -> (purchase: Purchase, json: [UInt8])? {
    guard let signed else { return nil }
    let transaction = try await verifiedTransaction(Array(signed.utf8))
    try Self.checkEnvironment(transaction.purchase.environment, matches: environment)
    return transaction
  }

  private func renewal(
    _ signed: String?, from environment: StoreEnvironment
  ) async throws(VerificationError) -> RenewalPayload? {
    guard let signed else { return nil }
    let renewal = try await verified(Array(signed.utf8), as: RenewalPayload.self)
    try Self.checkEnvironment(
      try checkEnvironment(renewal.payload.environment, isTesting: renewal.isTesting), matches: environment)
    return renewal.payload
  }

  private func verified<Payload: SignedPayload>(
    _ signed: [UInt8], as type: Payload.Type
  ) async throws(VerificationError) -> VerifiedPayload<Payload> {
    let data = try SignedData(signed)
    let payload = try Payload(json: data.payload)
    guard let signedDate = payload.signedDate else {
      throw VerificationError(.malformed, "the payload has no signedDate")
    }
    // Whole seconds, as in certificates. swift-certificates traps if the last fraction of the year 9999 rounds up to
    // the next year.
    let time = Date(timeIntervalSince1970: Double(signedDate / 1000))
    let key = try await chains.signingKey(data.header.certificates, at: time)
    guard key.verifies(data.signature, of: data.signedBytes) else {
      throw VerificationError(
        .signature, "the signature does not match the payload and the signing certificate's key")
    }
    return VerifiedPayload(payload: payload, json: data.payload, isTesting: key.isTesting)
  }

  private func checkBundleIdentifier(_ bundleIdentifier: String?) throws(VerificationError) {
    guard bundleIdentifier == settings.bundleIdentifier else {
      let found = bundleIdentifier.map { "'\($0)'" } ?? "none"
      throw VerificationError(
        .bundleIdentifier, "the bundle identifier is \(found), expected '\(settings.bundleIdentifier)'",
        dependsOnSettings: bundleIdentifier != nil)
    }
  }

  @discardableResult
  private func checkEnvironment(
    _ environment: StoreEnvironment?, isTesting: Bool
  ) throws(VerificationError) -> StoreEnvironment {
    guard let environment else { throw VerificationError(.environment, "the payload names no environment") }
    if isTesting ? environment == .production : environment.isLocal {
      throw VerificationError(
        .environment,
        isTesting
          ? "the environment is 'Production', for which a testing root is not valid"
          : "the environment is '\(environment.rawValue)', which requires a testing root",
        dependsOnSettings: true)
    }
    guard environment.isLocal || settings.environments.contains(environment) else {
      let accepted = settings.environments.map(\.rawValue).sorted().joined(separator: " or ")
      throw VerificationError(
        .environment, "the environment is '\(environment.rawValue)', expected \(accepted)",
        dependsOnSettings: StoreEnvironment.known.contains(environment))
    }
    return environment
  }

  private func checkAppIdentifier(_ appIdentifier: Int64?) throws(VerificationError) {
    guard let expected = settings.appIdentifier else {
      throw VerificationError(
        .appIdentifier,
        "the notification is from the production environment, which requires the app's Apple ID in the settings",
        dependsOnSettings: true)
    }
    guard appIdentifier == expected else {
      let found = appIdentifier.map(String.init) ?? "missing"
      throw VerificationError(
        .appIdentifier, "the app's Apple ID is \(found), expected \(expected)",
        dependsOnSettings: appIdentifier != nil)
    }
  }

  private static func checkEnvironment(
    _ inner: StoreEnvironment, matches outer: StoreEnvironment
  ) throws(VerificationError) {
    guard inner == outer else {
      throw VerificationError(
        .environment,
        "the environment of the notification is '\(outer.rawValue)', but that of its signed data is "
          + "'\(inner.rawValue)'")
    }
  }
}

extension NotificationPayload {
  /// Returns whether JSON is a payload with the type field of a notification. Required fields may be missing.
  static func isNotification(_ json: [UInt8]) -> Bool {
    (try? NotificationPayload(json: json))?.type != nil
  }
}

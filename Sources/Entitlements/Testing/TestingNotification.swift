import StrictJSON
import Support

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A fictitious notification to be signed for a test.
public struct TestingNotification: Sendable {
  /// `notificationType`, such as `REFUND`.
  public var type: String
  public var subtype: String?
  /// The `notificationUUID`.
  public var identifier: String
  /// The time of the signature, in milliseconds since 1970.
  public var signedDate: Int64
  public var bundleIdentifier: String
  /// The `appAppleId`, which notifications of the production environment have.
  public var appIdentifier: Int64?
  public var environment: StoreEnvironment
  /// The signed transaction in the notification.
  public var signedTransaction: String?
  /// The signed renewal information of a subscription; see `TestingRenewal`.
  public var signedRenewal: String?

  public init(
    type: String, subtype: String? = nil, identifier: String, signedDate: Int64, bundleIdentifier: String,
    appIdentifier: Int64? = nil, environment: StoreEnvironment, signedTransaction: String?
  ) {
    self.type = type
    self.subtype = subtype
    self.identifier = identifier
    self.signedDate = signedDate
    self.bundleIdentifier = bundleIdentifier
    self.appIdentifier = appIdentifier
    self.environment = environment
    self.signedTransaction = signedTransaction
  }

  /// Creates a notification about a signed transaction, for the same app and environment.
  ///
  /// - Throws: `VerificationError` if `transaction` is not a signed transaction. Its signature is not verified.
  public init(
    type: String, subtype: String? = nil, identifier: String, signedDate: Int64, about transaction: String,
    appIdentifier: Int64? = nil
  ) throws(VerificationError) {
    let payload = try TransactionPayload(json: try SignedData(Array(transaction.utf8)).payload)
    self.init(
      type: type, subtype: subtype, identifier: identifier, signedDate: signedDate,
      bundleIdentifier: payload.bundleIdentifier ?? "", appIdentifier: appIdentifier,
      environment: payload.environment ?? .sandbox, signedTransaction: transaction)
  }

  /// Returns a new `notificationUUID`.
  public static func newIdentifier() -> String { UUIDText.random() }

  /// The JSON of the payload.
  public var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member(NotificationPayload.typeField, type)
      if let subtype { writer.member("subtype", subtype) }
      writer.member("notificationUUID", identifier)
      writer.member("version", "2.0")
      writer.member("signedDate", signedDate)
      writer.key("data")
      writer.object { writer in
        if let appIdentifier { writer.member("appAppleId", appIdentifier) }
        writer.member("bundleId", bundleIdentifier)
        writer.member("bundleVersion", "1")
        writer.member("environment", environment.rawValue)
        if let signedTransaction { writer.member("signedTransactionInfo", signedTransaction) }
        if let signedRenewal { writer.member("signedRenewalInfo", signedRenewal) }
      }
    }
    return writer.bytes
  }
}

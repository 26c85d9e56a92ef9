import StrictJSON

/// The payload of a signed transaction (JWSTransactionDecodedPayload), limited to the fields that affect
/// entitlements.
struct TransactionPayload: SignedPayload, Equatable {
  var transactionIdentifier: String?
  var originalTransactionIdentifier: String?
  var bundleIdentifier: String?
  var productIdentifier: String?
  var purchaseDate: Int64?
  var expiresDate: Int64?
  var quantity: Int64?
  var kind: ProductKind?
  var appAccountToken: String?
  var ownership: String?
  var signedDate: Int64?
  var environment: StoreEnvironment?
  var revocationDate: Int64?
  /// The revoked share, in thousandths of a percent.
  var revocationPercentage: Int64?
  var isUpgraded: Bool?

  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch field {
    case "transactionId": transactionIdentifier = try reader.shortText()
    case "originalTransactionId": originalTransactionIdentifier = try reader.shortText()
    case "bundleId": bundleIdentifier = try reader.shortText()
    case "productId": productIdentifier = try reader.shortText()
    case "purchaseDate": purchaseDate = try reader.date()
    case "expiresDate": expiresDate = try reader.date()
    case "quantity": quantity = try reader.number()
    case "type": kind = ProductKind(rawValue: try reader.shortText())
    case "appAccountToken": appAccountToken = try reader.shortText()
    case "inAppOwnershipType": ownership = try reader.shortText()
    case "signedDate": signedDate = try reader.date()
    case "environment": environment = StoreEnvironment(rawValue: try reader.shortText())
    case "revocationDate": revocationDate = try reader.date()
    case "revocationPercentage": revocationPercentage = try reader.number()
    case "isUpgraded": isUpgraded = try reader.boolean()
    default: try reader.skip()
    }
  }
}

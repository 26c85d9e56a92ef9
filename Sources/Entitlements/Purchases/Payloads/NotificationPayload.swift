import StrictJSON

/// The payload of a signed notification (responseBodyV2DecodedPayload).
struct NotificationPayload: SignedPayload, Equatable {
  /// The field that distinguishes a notification from a transaction.
  static let typeField = "notificationType"

  /// The part of the payload that names the app.
  struct Subject: PayloadObject, Equatable {
    var appIdentifier: Int64?
    var bundleIdentifier: String?
    var environment: StoreEnvironment?
    var externalPurchaseIdentifier: String?
    /// The signed transaction, with its own signature.
    var signedTransaction: String?
    /// The signed renewal information, with its own signature.
    var signedRenewal: String?

    mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
      switch field {
      case "appAppleId": appIdentifier = try reader.number()
      case "bundleId": bundleIdentifier = try reader.shortText()
      case "environment": environment = StoreEnvironment(rawValue: try reader.shortText())
      case "externalPurchaseId": externalPurchaseIdentifier = try reader.shortText()
      case "signedTransactionInfo": signedTransaction = try reader.string(atMost: SignedData.maximumSize)
      case "signedRenewalInfo": signedRenewal = try reader.string(atMost: SignedData.maximumSize)
      default: try reader.skip()
      }
    }
  }

  var identifier: String?
  var type: String?
  var subtype: String?
  var signedDate: Int64?
  var data: Subject?
  var summary: Subject?
  var externalPurchaseToken: Subject?
  var appData: Subject?

  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch field {
    case "notificationUUID": identifier = try reader.shortText()
    case Self.typeField: type = try reader.shortText()
    case "subtype": subtype = try reader.shortText()
    case "signedDate": signedDate = try reader.date()
    case "data": data = try Subject(reader: &reader)
    case "summary": summary = try Subject(reader: &reader)
    case "externalPurchaseToken": externalPurchaseToken = try Subject(reader: &reader)
    case "appData": appData = try Subject(reader: &reader)
    default: try reader.skip()
    }
  }

  /// The first part that names the app, in the order of Apple's own libraries; nil if there is none.
  var subject: Subject? {
    if let subject = data ?? summary { return subject }
    if var subject = externalPurchaseToken {
      // The prefix of the token's identifier determines the environment (externalPurchaseId in Apple's documentation).
      let isSandbox = subject.externalPurchaseIdentifier?.hasPrefix("SANDBOX") == true
      subject.environment = isSandbox ? .sandbox : .production
      return subject
    }
    return appData
  }
}

/// The payload of signed renewal information (JWSRenewalInfoDecodedPayload), limited to the fields in use.
struct RenewalPayload: SignedPayload, Equatable {
  static let gracePeriodField = "gracePeriodExpiresDate"

  var signedDate: Int64?
  var environment: StoreEnvironment?
  var originalTransactionIdentifier: String?
  var gracePeriodEnd: Int64?

  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch field {
    case "signedDate": signedDate = try reader.date()
    case "originalTransactionId": originalTransactionIdentifier = try reader.shortText()
    case Self.gracePeriodField: gracePeriodEnd = try reader.date()
    case "environment": environment = StoreEnvironment(rawValue: try reader.shortText())
    default: try reader.skip()
    }
  }
}

import StrictJSON

/// The response of `verifyReceipt`, limited to the fields in use
/// (https://developer.apple.com/documentation/appstorereceipts/responsebody).
struct ReceiptResponse: PayloadObject {
  /// The content of the receipt.
  struct Receipt: PayloadObject {
    var bundleIdentifier: String?
    /// The creation time of the receipt, in milliseconds since 1970.
    var creationDate: Int64?
    /// The time of the request to the App Store, in milliseconds since 1970.
    var requestDate: Int64?
    var purchases: [ReceiptEntry] = []

    mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
      switch field {
      case "bundle_id": bundleIdentifier = try reader.shortText()
      case "receipt_creation_date_ms": creationDate = try reader.quotedNumber()
      case "request_date_ms": requestDate = try reader.quotedNumber()
      case "in_app": purchases = try reader.entries()
      default: try reader.skip()
      }
    }
  }

  var status: Int64?
  var isRetryable = false
  var environment: StoreEnvironment?
  var receipt: Receipt?
  /// The current state of subscriptions, and of other purchases in some receipts.
  var latest: [ReceiptEntry] = []

  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch field {
    case "status": status = try reader.number()
    case "is-retryable": isRetryable = try reader.lenientBoolean()
    case "environment": environment = StoreEnvironment(rawValue: try reader.shortText())
    case "receipt": receipt = try Receipt(reader: &reader)
    case "latest_receipt_info": latest = try reader.entries()
    default: try reader.skip()
    }
  }
}

/// One purchase in a response. All values are strings.
struct ReceiptEntry: PayloadObject, Equatable {
  var transactionIdentifier: String?
  var originalTransactionIdentifier: String?
  var productIdentifier: String?
  var quantity: Int64?
  var purchaseDate: Int64?
  var expiresDate: Int64?
  var cancellationDate: Int64?
  var ownership: String?
  var appAccountToken: String?
  var isUpgraded: Bool?

  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch field {
    case "transaction_id": transactionIdentifier = try reader.shortText()
    case "original_transaction_id": originalTransactionIdentifier = try reader.shortText()
    case "product_id": productIdentifier = try reader.shortText()
    case "quantity": quantity = try reader.quotedNumber()
    case "purchase_date_ms": purchaseDate = try reader.quotedNumber()
    case "expires_date_ms": expiresDate = try reader.quotedNumber()
    case "cancellation_date_ms": cancellationDate = try reader.quotedNumber()
    case "in_app_ownership_type": ownership = try reader.shortText()
    case "app_account_token": appAccountToken = try reader.shortText()
    case "is_upgraded": isUpgraded = try reader.lenientBoolean()
    default: try reader.skip()
    }
  }
}

extension JSONReader {
  /// Reads a number, possibly in a string, as in receipts.
  fileprivate mutating func quotedNumber() throws(DocumentError) -> Int64 {
    if let number = try? attempt({ (reader) throws(DocumentError) in try reader.number() }) { return number }
    guard let number = Int64(try shortText()) else { throw error("expected a string that is a number") }
    return number
  }

  /// Reads a Boolean value or a number, each possibly in a string. App Store servers have used all of these forms.
  fileprivate mutating func lenientBoolean() throws(DocumentError) -> Bool {
    if let isTrue = try? attempt({ (reader) throws(DocumentError) in try reader.boolean() }) { return isTrue }
    if let isTrue = try? attempt({ (reader) throws(DocumentError) in try reader.quotedBoolean() }) {
      return isTrue
    }
    return try quotedNumber() != 0
  }

  private mutating func quotedBoolean() throws(DocumentError) -> Bool {
    guard let isTrue = Bool(try shortText()) else { throw error("expected \"true\" or \"false\"") }
    return isTrue
  }

  fileprivate mutating func entries() throws(DocumentError) -> [ReceiptEntry] {
    var entries: [ReceiptEntry] = []
    try array { (reader) throws(DocumentError) in entries.append(try ReceiptEntry(reader: &reader)) }
    return entries
  }

  /// Reads a value, or leaves the position unchanged on an error.
  private mutating func attempt<Value>(
    _ body: (inout JSONReader) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    var copy = self
    let value = try body(&copy)
    self = copy
    return value
  }
}

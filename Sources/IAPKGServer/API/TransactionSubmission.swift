import StrictJSON
import Support

/// The purchases that an app presents: signed transactions, or a receipt.
struct TransactionSubmission: Equatable {
  /// The maximum size of a body, in bytes: that of a receipt, with room for JSON escapes. A transaction has a few
  /// thousand bytes.
  static let maximumBodySize = 5 << 20
  static let maximumTransactionCount = 200
  private static let keys: KeyValuePairs = [
    "signedTransactions": "a list of strings", "receipt": "a string", "appAccountToken": "a string",
  ]

  var signedTransactions: [String] = []
  var receipt: String?
  /// The account token of the app, a UUID in lower case.
  var appAccountToken: String?

  /// Parses the body of a request.
  ///
  /// - Throws: `Problem` if the body is invalid.
  init(_ body: [UInt8]) throws(Problem) {
    var (transactions, receipt, token) = ([String](), String?.none, String?.none)
    try readObject(body, Self.keys) { (key, reader) throws(DocumentError) in
      switch key {
      case "signedTransactions":
        try reader.array { (reader) throws(DocumentError) in
          guard transactions.count < Self.maximumTransactionCount else {
            throw reader.error("there are more than \(Self.maximumTransactionCount) transactions")
          }
          transactions.append(try reader.string())
        }
      case "receipt":
        receipt = try reader.unlessNull { (reader) throws(DocumentError) in try reader.string() }
      default:
        token = try reader.unlessNull { (reader) throws(DocumentError) in try reader.string(atMost: 36) }
      }
    }
    guard (receipt == nil) != transactions.isEmpty else {
      throw Problem(.malformedRequest, "expected either at least one of signedTransactions or a receipt")
    }
    if let token {
      guard let valid = UUIDText.lowercased(token) else {
        throw Problem(.malformedRequest, "the appAccountToken is not a UUID")
      }
      appAccountToken = valid
    }
    signedTransactions = transactions
    self.receipt = receipt
  }
}

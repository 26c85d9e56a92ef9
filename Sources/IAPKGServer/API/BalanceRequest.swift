import Entitlements
import StrictJSON
import Support

/// A request of an app to spend from a balance.
struct SpendRequest: Equatable {
  let amount: Int64
  /// The identifier under which the request counts once: a UUID in lower case.
  let requestIdentifier: String

  /// The maximum size of the body, in bytes.
  static let maximumBodySize = 4_096

  /// Parses the body of a request.
  ///
  /// - Throws: `Problem` if the body is invalid.
  init(_ body: [UInt8]) throws(Problem) {
    var (amount, identifier) = (Int64?.none, String?.none)
    try readObject(body, ["amount": "an integer", "requestId": "a string"]) {
      (key, reader) throws(DocumentError) in
      switch key {
      case "amount": amount = try reader.integer(in: 1...LedgerLimits.maximumAmount)
      default: identifier = try reader.string(atMost: 36)
      }
    }
    guard let amount, let identifier, let valid = UUIDText.lowercased(identifier) else {
      throw Problem(.malformedRequest, "expected an amount and a UUID as requestId")
    }
    self.amount = amount
    requestIdentifier = valid
  }
}

/// A request of support staff to grant or revoke either a product, or an amount of a balance.
struct AdjustmentRequest: Equatable {
  var product: String?
  var balance: String?
  var amount: Int64?
  var environment = StoreEnvironment.production
  var reason: String
  var operatorName: String
  /// The identifier under which the request counts once: a UUID in lower case.
  var requestIdentifier: String?

  /// The maximum size of the body, in bytes.
  static let maximumBodySize = 16_384
  private static let keys: KeyValuePairs = [
    "productId": "a string", "balance": "a string", "amount": "an integer", "environment": "a string",
    "reason": "a string", "operator": "a string", "requestId": "a string",
  ]

  /// Parses the body of a request.
  ///
  /// - Throws: `Problem` if the body is invalid.
  init(_ body: [UInt8]) throws(Problem) {
    var texts: [String: String] = [:]
    var amount: Int64?
    try readObject(body, Self.keys) { (key, reader) throws(DocumentError) in
      switch key {
      case "amount": amount = try reader.integer(in: 1...LedgerLimits.maximumAmount)
      default: texts[key] = try reader.string(atMost: LedgerLimits.maximumTextLength)
      }
    }
    guard let reason = texts["reason"], reason.isVisible else {
      throw Problem(.malformedRequest, "expected a reason, which is entered in the ledger")
    }
    guard let operatorName = texts["operator"], operatorName.isVisible else {
      throw Problem(.malformedRequest, "expected an operator, whose name is entered in the ledger")
    }
    self.operatorName = operatorName
    guard (texts["productId"] == nil) != (texts["balance"] == nil),
      (texts["balance"] == nil) == (amount == nil)
    else {
      throw Problem(.malformedRequest, "expected either a productId, or a balance and an amount")
    }
    (product, balance, self.amount, self.reason) = (texts["productId"], texts["balance"], amount, reason)
    if let name = texts["environment"] {
      guard let known = StoreEnvironment.known.first(where: { $0.rawValue == name }) else {
        let names = StoreEnvironment.known.map(\.rawValue).joined(separator: ", ")
        throw Problem(.malformedRequest, "there is no such environment, expected one of \(names)")
      }
      environment = known
    }
    if let identifier = texts["requestId"] {
      guard let valid = UUIDText.lowercased(identifier) else {
        throw Problem(.malformedRequest, "the requestId is not a UUID")
      }
      requestIdentifier = valid
    }
  }
}

extension String {
  /// Whether any character is visible. A reason or name must not consist of spaces only.
  fileprivate var isVisible: Bool {
    unicodeScalars.contains { scalar in
      let properties = scalar.properties
      // U+2800 is the braille pattern without dots.
      guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else {
        return false
      }
      return switch properties.generalCategory {
      case .control, .format, .unassigned, .privateUse, .surrogate, .nonspacingMark, .enclosingMark,
        .spaceSeparator, .lineSeparator, .paragraphSeparator:
        false
      default: true
      }
    }
  }
}

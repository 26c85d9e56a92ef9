import StrictJSON

/// An error in a products file: one lower-case sentence without a full stop, safe to print.
public struct ProductCatalogError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
}

extension ProductCatalog {
  /// The maximum size of a products file, in bytes.
  public static let maximumFileSize = 16 << 20

  /// The limits of a products file. Lengths are in bytes.
  enum Limit {
    static let maximumProductCount = 100_000
    static let maximumBalanceCount = 100
    static let maximumBalanceLength = 255
    static let maximumTypeLength = 255
  }

  /// Reads a products file:
  ///
  /// ```json
  /// {
  ///   "com.example.coins100": {"type": "consumable", "credits": {"coins": 100}},
  ///   "com.example.book": {"type": "non-consumable"}
  /// }
  /// ```
  ///
  /// - Throws: `ProductCatalogError` if the file is too large, malformed or exceeds a limit.
  public init(json: [UInt8]) throws(ProductCatalogError) {
    guard json.count <= Self.maximumFileSize else {
      throw ProductCatalogError(
        description: "the file of products has \(json.count) bytes, expected at most \(Self.maximumFileSize)"
      )
    }
    guard !json.isEmpty else {
      throw ProductCatalogError(description: "the file is empty, expected an object")
    }
    var offers: [String: Offer] = [:]
    do throws(DocumentError) {
      var reader = JSONReader(json)
      try reader.document { (reader) throws(DocumentError) in
        try reader.object { (product, reader) throws(DocumentError) in
          guard product.isStoreIdentifier else {
            throw reader.error(
              "'\(product)' is not a product identifier: expected \(String.storeIdentifierRule)")
          }
          guard offers.count < Limit.maximumProductCount else {
            throw reader.error("there are more than \(Limit.maximumProductCount) products")
          }
          offers[product] = try Self.value("'\(product)'", "an object", &reader) {
            (reader) throws(DocumentError) in try Self.offer(product, &reader)
          }
        }
      }
    } catch {
      throw ProductCatalogError(description: error.message)
    }
    self.init(offers: offers)
  }

  private static func offer(_ product: String, _ reader: inout JSONReader) throws(DocumentError)
    -> Offer
  {
    var type: ProductType?
    var credits: [String: Int64]?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "type":
        let name = try value("the type of '\(product)'", "a string", &reader) {
          (reader) throws(DocumentError) in try reader.string(atMost: Limit.maximumTypeLength)
        }
        type = ProductType(rawValue: name)
        guard type != nil else {
          let known = ProductType.allCases.map(\.rawValue).joined(separator: "', '")
          throw reader.error("'\(product)' has the type '\(name)', expected '\(known)'")
        }
      case "credits":
        credits = try value("credits of '\(product)'", "an object", &reader) {
          (reader) throws(DocumentError) in try Self.credits(product, &reader)
        }
      default: throw reader.error("'\(product)' has a key '\(key)', expected 'type' or 'credits'")
      }
    }
    switch (type, credits) {
    case (nil, _): throw reader.error("'\(product)' has no 'type'")
    case (.consumable, let credits?) where !credits.isEmpty: return .credits(credits)
    case (.consumable, _):
      throw reader.error(
        "the consumable '\(product)' has no 'credits', so a purchase of it would have no effect")
    case (_, nil): return .entitlement
    case (_, _?): throw reader.error("'\(product)' has 'credits', which only a consumable can have")
    }
  }

  private static func credits(
    _ product: String, _ reader: inout JSONReader
  ) throws(DocumentError) -> [String: Int64] {
    var credits: [String: Int64] = [:]
    try reader.object { (balance, reader) throws(DocumentError) in
      try Self.check(balance, reader)
      guard credits.count < Limit.maximumBalanceCount else {
        throw reader.error("'\(product)' credits more than \(Limit.maximumBalanceCount) balances")
      }
      credits[balance] = try value("'\(balance)' of '\(product)'", "an integer", &reader) {
        (reader) throws(DocumentError) in try reader.integer(in: 1...LedgerLimits.maximumAmount)
      }
    }
    return credits
  }

  /// Reads a value, or throws an error that compares the value found with the expected kind.
  private static func value<Value>(
    _ name: String, _ expected: String, _ reader: inout JSONReader,
    _ body: (inout JSONReader) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    let start = reader
    do throws(DocumentError) { return try body(&reader) } catch {
      throw start.problem(with: name, expected: expected, error).map { DocumentError($0) } ?? error
    }
  }

  /// Checks the name of a balance. The name is part of API paths, in which clients and proxies resolve `.` and `..`.
  private static func check(_ balance: String, _ reader: JSONReader) throws(DocumentError) {
    guard !balance.isEmpty, balance.utf8.count <= Limit.maximumBalanceLength, balance.isPlainText else {
      throw reader.error(
        "'\(balance)' is not a balance name: "
          + "expected 1 to \(Limit.maximumBalanceLength) bytes without control characters"
      )
    }
    guard !balance.contains("/"), balance != ".", balance != ".." else {
      throw reader.error("'\(balance)' is not a balance name: expected no '/', and neither '.' nor '..'")
    }
    guard balance.first?.isWhitespace == false, balance.last?.isWhitespace == false else {
      throw reader.error("'\(balance)' is not a balance name: expected no leading or trailing space")
    }
  }
}

/// The product types in a products file.
private enum ProductType: String, CaseIterable {
  case consumable
  case nonConsumable = "non-consumable"
  case subscription
}

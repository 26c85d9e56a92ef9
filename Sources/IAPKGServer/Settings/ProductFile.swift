import ContentPackage
import Delivery
import Entitlements

/// The file of the option `--products`: the type of each product, and what each one that is bought credits.
struct ProductFile {
  let catalog: ProductCatalog

  private static let mostCredits: Int64 = 1_000_000_000
  private static let mostBalances = 100
  private static let longestName = 100

  /// - Throws: `DocumentError` if it is not such a file.
  init(_ bytes: [UInt8]) throws(DocumentError) {
    var offers: [String: ProductCatalog.Offer] = [:]
    var reader = JSONReader(bytes)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (product, reader) throws(DocumentError) in
        guard ProductIdentifier(product) != nil else {
          throw reader.error("'\(product)' is no product identifier")
        }
        offers[product] = try Self.offer(&reader)
      }
    }
    catalog = ProductCatalog(offers: offers)
  }

  private static func offer(_ reader: inout JSONReader) throws(DocumentError) -> ProductCatalog.Offer {
    var (type, credits) = (String?.none, [String: Int64]())
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "type": type = try reader.string(atMost: longestName)
      case "credits":
        try reader.object { (balance, reader) throws(DocumentError) in
          guard credits.count < mostBalances, (1...longestName).contains(balance.utf8.count),
            balance.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
          else {
            throw reader.error("expected at most \(mostBalances) balances with names in ASCII, without '/'")
          }
          credits[balance] = try reader.integer(in: 1...mostCredits)
        }
      default: throw reader.error("'\(key)' is unknown, expected type and credits")
      }
    }
    switch type {
    case "consumable":
      guard !credits.isEmpty else { throw reader.error("a consumable needs credits") }
      return .credits(credits)
    case "non-consumable", "subscription":
      guard credits.isEmpty else { throw reader.error("only a consumable has credits") }
      return .entitlement
    default:
      throw reader.error("the type is '\(type ?? "")', expected consumable, non-consumable or subscription")
    }
  }
}

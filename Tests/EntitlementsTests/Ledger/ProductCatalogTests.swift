import Testing

@testable import Entitlements

@Suite("The products file") struct ProductCatalogTests {
  @Test func `the products file has the offer of each product`() throws {
    let catalog = try ProductCatalog(
      json: Array(
        """
        {"coins": {"type": "consumable", "credits": {"coins": 100, "gems": 1000000000}},
         "book": {"type": "non-consumable"}, "mag": {"type": "subscription"}}
        """.utf8))
    #expect(catalog.offer(for: "coins") == .credits(["coins": 100, "gems": 1_000_000_000]))
    for product in ["book", "mag", "not in it"] {
      #expect(catalog.offer(for: product) == .entitlement)
    }
  }

  @Test(arguments: [
    ("", "expected an object"), ("[]", "expected an object"),
    ("{\"a\": 1}", "'a' is a number, expected an object"),
    ("{\"a\": {\"type\": 1}}", "the type of 'a' is a number, expected a string"),
    (
      "{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": \"5\"}}}",
      "'c' of 'a' is a string, expected an integer"
    ),
    ("{\"a\": {}}", "'a' has no 'type'"),
    ("{\"a\": {\"type\": \"Consumable\"}}", "has the type 'Consumable'"),
    ("{\"a\": {\"type\": \"consumable\"}}", "has no 'credits'"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {}}}", "has no 'credits'"),
    ("{\"a\": {\"type\": \"non-consumable\", \"credits\": {\"c\": 1}}}", "only a consumable"),
    ("{\"a\": {\"type\": \"non-consumable\", \"price\": 1}}", "has a key 'price'"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 0}}}", "out of range"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": -5}}}", "out of range"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 1000000001}}}", "out of range"),
    (
      "{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 99999999999999999999}}}",
      "out of range"
    ),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 1.5}}}", "expected an integer"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 1e3}}}", "expected an integer"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"c\": 1, \"c\": 2}}}", "twice"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"\": 1}}}", "not a balance name"),
    ("{\"a\": {\"type\": \"non-consumable\"}, \"a\": {\"type\": \"non-consumable\"}}", "twice"),
    (
      "{\"com.example.coins 100\": {\"type\": \"non-consumable\"}}",
      "'com.example.coins 100' is not a product identifier: expected 1 to 255 of the characters A-Z a-z 0-9 . _ -, at byte "
    ),
    ("{\"\": {\"type\": \"non-consumable\"}}", "not a product identifier"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\" coins\": 1}}}", "no leading or trailing space"),
    ("{\"a\": {\"type\": \"consumable\", \"credits\": {\"..\": 1}}}", "neither '.' nor '..'"),
    ("{\"a\\u0000b\": {\"type\": \"non-consumable\"}}", "not a product identifier"),
  ])
  func `an invalid products file is refused with the reason`(_ json: String, _ words: String) {
    let error = #expect(throws: ProductCatalogError.self) {
      try ProductCatalog(json: Array(json.utf8))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}

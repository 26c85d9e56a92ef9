import ArgumentParser
import ContentPackage

/// The products that a command was given.
enum ProductArguments {
  /// - Throws: `ValidationError` for a product that is given twice.
  static func check(_ products: [ProductIdentifier]) throws {
    var known: Set<ProductIdentifier> = []
    for product in products where !known.insert(product).inserted {
      throw ValidationError("\(product) is given twice")
    }
  }
}

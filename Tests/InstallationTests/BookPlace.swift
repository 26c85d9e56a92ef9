import ContentPackage
import TestSupport
import Testing

/// A folder for content, its packages and their installations.
final class BookPlace {
  let folder: TemporaryFolder
  let product: ProductIdentifier

  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    try write("once upon a time", to: "Book/Chapter/Text.txt")
  }

  var path: String { folder.path }
  var documents: String { folder.place("Documents") }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
}

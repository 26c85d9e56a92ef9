import ContentPackage
import Foundation
import Testing

/// A folder for content, its packages and their installations.
final class BookPlace {
  let path = NSTemporaryDirectory() + "iapkg-library-\(UUID().uuidString)"
  let product: ProductIdentifier

  init() throws {
    product = try #require(ProductIdentifier("com.example.book"))
    try FileManager.default.createDirectory(
      atPath: path + "/Book/Chapter", withIntermediateDirectories: true)
    try write("once upon a time", to: "Book/Chapter/Text.txt")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var documents: String { path + "/Documents" }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }
}

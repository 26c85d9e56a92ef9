import ContentPackage
import SafeFiles
import Support

/// The products of several inputs, of which each is expected once.
struct RepeatedProducts {
  private var paths: [ProductIdentifier: String] = [:]
  private var repeats: [String] = []

  /// Takes the product of an input.
  ///
  /// - Returns: a sentence if another input is of the same product.
  @discardableResult
  mutating func add(_ product: ProductIdentifier, _ path: String) -> String? {
    guard let other = paths.updateValue(path, forKey: product) else { return nil }
    let names = [other, path].map { String(displaying: $0.utf8) }.joined(separator: " and ")
    let sentence = "\(names) are both of the product \(product)"
    repeats.append(sentence)
    return sentence
  }

  /// Checks that no two content folders are of one product; what cannot be read is told of later.
  ///
  /// - Throws: `CommandError`.
  static func check(_ folders: [String]) throws {
    var products = RepeatedProducts()
    for folder in folders {
      guard let product = try? ContentFolder.info(of: folder)?.productIdentifier else { continue }
      if let sentence = products.add(product, folder) {
        throw CommandError(.usage, "\(sentence); give one of them")
      }
    }
  }

  /// Says on standard error which products are there several times.
  func note(_ text: TextOptions, on console: Console) {
    guard !text.quiet else { return }
    let head = text.style(for: .error).note("note:") + " "
    for sentence in repeats {
      TextLayout(for: .error).lines(after: head, width: 6, sentence).forEach(console.note)
    }
  }
}

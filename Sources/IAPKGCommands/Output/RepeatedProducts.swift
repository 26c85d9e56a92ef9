import ContentPackage
import SafeFiles
import Support

/// The products of several inputs. Each product should occur only once.
struct RepeatedProducts {
  private var paths: [ProductIdentifier: String] = [:]
  private var repeats: [String] = []

  /// Adds the product of an input.
  ///
  /// - Returns: A message if an earlier input has the same product; nil otherwise.
  @discardableResult
  mutating func add(_ product: ProductIdentifier, _ path: String) -> String? {
    guard let other = paths.updateValue(path, forKey: product) else { return nil }
    let sentence = Self.sentence(other, path, product)
    repeats.append(sentence)
    return sentence
  }

  private static func sentence(_ path: String, _ other: String, _ product: ProductIdentifier) -> String {
    let names = [path, other].map { String(displaying: $0.utf8) }.joined(separator: " and ")
    return "\(names) both belong to the product \(product)"
  }

  /// Checks that no two content folders have the same product, or with `countingVersions` the same product and version.
  /// Unreadable folders are reported later.
  ///
  /// - Throws: `CommandError`.
  static func check(_ folders: [String], countingVersions: Bool = false) throws {
    try check(folders, countingVersions: countingVersions, advice: "give one of them") {
      try? ContentFolder.info(of: $0)
    }
  }

  /// Checks other inputs in the same way. `info` returns the identity of an input; nil if it is unknown.
  ///
  /// - Throws: `CommandError` with `advice` in its message.
  static func check(
    _ inputs: [String], countingVersions: Bool, advice: String, info: (String) -> ContentInfo?
  ) throws {
    guard inputs.count > 1 else { return }
    var known: [String: String] = [:]
    for input in inputs {
      guard let info = info(input) else { continue }
      let key = countingVersions ? info.packageName : info.productIdentifier.text
      guard let other = known.updateValue(input, forKey: key) else { continue }
      let version = countingVersions ? " in version \(info.contentVersion)" : ""
      let sentence = sentence(other, input, info.productIdentifier)
      throw CommandError(.usage, "\(sentence)\(version); \(advice)")
    }
  }

  /// Prints notes on standard error about repeated products.
  func note(_ text: TextOptions, on console: Console) {
    guard !text.quiet else { return }
    for sentence in repeats { text.note(sentence, on: console) }
  }
}

import PropertyList

/// Reads a manifest. An accepted manifest can be edited, and the edit changes only one string.
enum ManifestTarget {
  private static let key = "ContentVersion"
  private static let version = "9.9"

  static func run(_ input: [UInt8]) {
    guard let document = try? PropertyListDocument.parse(input) else { return }
    guard case .string? = document.value(forKey: key),
      let edited = try? PropertyListDocument.replacingString(inKey: key, with: version, of: input)
    else { return }
    guard let changed = try? PropertyListDocument.parse(edited) else {
      fatalError("the edited list is damaged")
    }
    require(changed.format == document.format, "the edit changed the format")
    require(changed.value(forKey: key) == .string(version), "the edit did not change the string")
    require(rest(of: changed) == rest(of: document), "the edit changed something else")
  }

  private static func rest(of document: PropertyListDocument) -> [String: String] {
    let pairs = (document.entries ?? []).filter { $0.key != key }.map { ($0.key, "\($0.value)") }
    return Dictionary(pairs) { first, _ in first }
  }
}

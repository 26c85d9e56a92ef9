import Delivery

extension CatalogSignature {
  /// The fingerprint of the first key, for JSON reports; nil if the catalog is not signed as required.
  var signedBy: String? { keys.first }

  /// The keys, as text in the header of a page.
  var signers: String {
    guard keys.isEmpty else { return keys.joined(separator: ", ") }
    return trust.map { "no key that trust document \($0) accepts" } ?? "no key"
  }

  /// The signatures, as part of a line.
  var text: String {
    if let unusableTrust { return "signature not verified, because \(unusableTrust.text)" }
    let requirement = trust.map { " as trust document \($0) requires" } ?? ""
    return (keys.isEmpty ? "not signed" : "signed by \(keys.joined(separator: " and "))") + requirement
  }

  /// Returns the warning about the catalog of a store without a known key; nil for a signed catalog over a protected
  /// connection.
  func warning(from store: String) -> String? {
    let isOpen = store.hasPrefix("http://")
    guard keys.isEmpty else {
      return isOpen ? "the connection is not encrypted; compare the key with the publisher's" : nil
    }
    return "the catalog is not signed\(isOpen ? ", and the connection is not encrypted" : "")"
      + "; anyone who can change the store or the connection can change the content"
  }
}

extension UnusableTrust {
  fileprivate var text: String {
    let document = version.map { "trust document \($0)" } ?? "a trust document"
    return switch defect {
    case .missing: "\(document) is missing"
    case .unreadable: "\(document) cannot be read"
    case .invalid: "\(document) is not valid"
    }
  }
}

import Delivery

extension CatalogSignature {
  /// The key in JSON reports; nil if the catalog is not signed as demanded.
  var signedBy: String? { keys.first }

  /// The signatures in a line of a list.
  var text: String {
    let demand = trust.map { " as trust document \($0) demands" } ?? ""
    return (keys.isEmpty ? "not signed" : "signed by \(keys.joined(separator: " and "))") + demand
  }
}

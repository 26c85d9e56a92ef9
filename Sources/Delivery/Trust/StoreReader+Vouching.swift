extension StoreReader {
  /// Verifies that the key of a store with a single key signed its first trust document, which its catalog does not name
  /// yet.
  ///
  /// - Throws: `IntegrityError`.
  func checkVouched(_ first: TrustEnvelope, _ current: CurrentCatalog?) throws(IntegrityError) {
    guard let current, current.catalog.trust == nil, !current.signers.isEmpty,
      !first.signers.contains(where: current.signers.contains)
    else { return }
    throw IntegrityError(
      place(of: .trust(1)),
      "is not signed by the key that signed the catalog, so another may have put it there; delete it if it is not yours"
    )
  }
}

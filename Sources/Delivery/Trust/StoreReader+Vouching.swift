extension StoreReader {
  /// Verifies the first trust document of a store whose catalog names none yet: the key that signed the catalog must have
  /// signed the document.
  ///
  /// - Throws: `IntegrityError`.
  func checkVouched(_ first: TrustEnvelope, _ current: CurrentCatalog?) throws(IntegrityError) {
    guard let current, current.catalog.trust == nil, !current.signers.isEmpty,
      !first.signers.contains(where: current.signers.contains)
    else { return }
    throw IntegrityError(
      place(of: .trust(1)),
      "is not signed by the key that signed the catalog, so another user may have put it there; delete it if it is not yours"
    )
  }
}

import ContentPackage
import StrictJSON
package import Support

/// The current catalog of a store.
package struct CurrentCatalog: Sendable {
  package let catalog: Catalog
  /// The keys that signed the catalog, without duplicates; empty for an unsigned one.
  package let signers: [SSHPublicKey]
  /// The first key that signed the catalog; nil for an unsigned one.
  package var signer: SSHPublicKey? { signers.first }
  /// The document with its signatures.
  let envelope: CatalogEnvelope
  /// The tag of this state of `catalog.json`.
  package let tag: ObjectTag
  /// The SHA-256 of the signed text.
  package let digest: SHA256Digest

  /// Parses `catalog.json`, and verifies its signature if there is one.
  ///
  /// - Throws: `IntegrityError` if the document is damaged or its signature is invalid.
  init(_ object: StoredObject, place: String) throws(IntegrityError) {
    tag = object.tag
    do throws(DocumentError) {
      envelope = try CatalogEnvelope(bytes: object.bytes)
      catalog = try Catalog(payload: envelope.payload)
      digest = SHA256Digest(of: envelope.payload)
    } catch {
      throw IntegrityError(place, "cannot be read: \(error.message)")
    }
    do throws(SignatureError) {
      signers = try SSHSignature.signers(
        of: envelope.payload, envelope.signatures, for: SSHSignature.namespace, named: "catalog")
    } catch {
      throw Self.badSignature(place, error)
    }
  }

  /// Verifies that one of the trusted keys signed the catalog.
  func check(_ trusted: TrustedKeys, place: String) throws(IntegrityError) {
    guard let signer else {
      throw IntegrityError(place, "is not signed, expected a signature by a trusted key")
    }
    guard !signers.contains(where: { trusted.error(of: $0, at: .now) == nil }),
      let error = trusted.error(of: signer, at: .now)
    else { return }
    throw Self.badSignature(place, error)
  }

  /// Verifies that enough keys of a trust document signed the catalog. `loss` is a message if the store lacks the
  /// document.
  func check(_ trust: TrustDocument, found loss: String? = nil, place: String) throws(IntegrityError) {
    guard !trust.catalogs.accepts(signers) else { return }
    let expected = trust.catalogs.keys.map(\.key.fingerprint).joined(separator: " or ")
    let found = signers.map(\.fingerprint).joined(separator: " and ")
    throw IntegrityError(
      place,
      "is signed by \(found.isEmpty ? "no key" : found), and trust document \(trust.version) requires "
        + "\(trust.catalogs.threshold) of \(expected)"
        + (loss.map { ", but \($0)" } ?? ""), advice: loss == nil ? .signCatalog : .trustDocumentLost)
  }

  private static func badSignature(_ place: String, _ error: SignatureError) -> IntegrityError {
    IntegrityError(place, "has an invalid signature: \(error.message)")
  }
}

import ContentPackage
package import StrictJSON
package import Support

/// A trust document with its signatures: `trust/1.json`, `trust/2.json`, …
package struct TrustEnvelope: Sendable, Equatable {
  /// The value of the member `format`.
  package static let format = "iapkg-trust-1"

  package let document: TrustDocument
  /// The signed JSON of the document.
  package let payload: [UInt8]
  /// Armored signatures of the payload for the namespace `trust@iapkg`.
  package let signatures: [String]
  /// The keys that signed the document, each once.
  package let signers: [SSHPublicKey]

  /// Creates a document without signatures.
  package init(_ document: TrustDocument) {
    self.document = document
    payload = document.payload
    (signatures, signers) = ([], [])
  }

  private init(
    _ document: TrustDocument, _ payload: [UInt8], _ signatures: [String]
  ) throws(SignatureError) {
    self.document = document
    self.payload = payload
    self.signatures = signatures
    signers = try SSHSignature.signers(
      of: payload, signatures, for: SSHSignature.trustNamespace, named: "trust document")
  }

  /// Returns the document with another signature; the same document if the key has signed it already.
  ///
  /// - Throws: `SignatureError` if the signature belongs to another document.
  package func adding(_ signature: String) throws(SignatureError) -> TrustEnvelope {
    let next = try TrustEnvelope(document, payload, signatures + [signature])
    return next.signers.count > signers.count ? next : self
  }

  /// Returns the document with one signature of each signer that satisfies a predicate.
  ///
  /// - Throws: `SignatureError` for a damaged signature.
  func keepingSigners(where isKept: (SSHPublicKey) -> Bool) throws(SignatureError) -> TrustEnvelope {
    var kept: [String] = []
    var keys: Set<SSHPublicKey> = []
    for armor in signatures {
      let key = try SSHSignature(armored: armor, namespace: SSHSignature.trustNamespace).key
      if isKept(key), keys.insert(key).inserted { kept.append(armor) }
    }
    return try TrustEnvelope(document, payload, kept)
  }

  /// The SHA-256 of the text that keys sign.
  package var digest: SHA256Digest { SHA256Digest(of: payload) }

  /// The document with its signatures as JSON.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("format", Self.format)
      $0.member("payload", Base64.standard.encode(payload))
      $0.write(signatures: signatures)
    }
    return writer.line()
  }

  /// Parses a trust document and verifies its signatures, by any key.
  ///
  /// - Throws: `DocumentError` for a damaged document or signature.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var format: String?
    var payload: [UInt8]?
    var signatures: [String]?
    var reader = JSONReader(bytes, limits: DocumentLimits.catalog)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "format": format = try reader.string(atMost: DocumentLimits.maximumWordBytes)
        case "payload": payload = try reader.base64(atMost: DocumentLimits.maximumTrustPayloadBytes)
        case "signatures": signatures = try reader.signatures()
        default: try reader.skip()
        }
      }
    }
    guard format == Self.format else {
      throw DocumentError(
        "it is not a trust document: its format is \(format.map { "'\($0)'" } ?? "missing"), expected '\(Self.format)'"
      )
    }
    guard let payload, let signatures else {
      throw DocumentError("the trust document lacks its payload or signatures")
    }
    let document = try TrustDocument(payload: payload)
    do throws(SignatureError) {
      try self.init(document, payload, signatures)
    } catch {
      throw DocumentError("it has an invalid signature: \(error.message)")
    }
  }
}

package import StrictJSON
import Support

/// The document `catalog.json`. Payload and signature are in one file, so that they always match.
package struct CatalogEnvelope: Sendable, Equatable {
  /// The value of the member `format`.
  package static let format = "iapkg-catalog-2"
  private static let family = "iapkg-catalog-"
  /// The format of versions before the first release of iapkg.
  private static let earlierFormat = "iapkg-catalog-1"

  /// The signed JSON of the catalog.
  package let payload: [UInt8]
  /// Armored signatures of the payload (PROTOCOL.sshsig); empty in an unsigned store.
  package let signatures: [String]
  /// Whether the document has a list of signatures, as in a store with trust documents, rather than a single signature.
  private let isList: Bool

  /// Creates the document of a store without trust documents.
  package init(payload: [UInt8], signature: String?) {
    self.payload = payload
    signatures = [signature].compactMap(\.self)
    isList = false
  }

  /// Creates the document of a store with trust documents.
  package init(payload: [UInt8], signatures: [String]) {
    self.payload = payload
    self.signatures = signatures
    isList = true
  }

  /// The document as JSON.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("format", Self.format)
      $0.member("payload", Base64.standard.encode(payload))
      if isList { $0.write(signatures: signatures) } else { $0.member("signature", signatures.first) }
    }
    return writer.line()
  }

  /// Parses `catalog.json`.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var payload: [UInt8]?
    var signature: String?
    var signatures: [String]?
    var (hasFormat, hasSignature) = (false, false)
    var reader = JSONReader(bytes, limits: DocumentLimits.catalog)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "format":
          try Self.checkFormat(&reader)
          hasFormat = true
        case "payload": payload = try reader.base64(atMost: DocumentLimits.maximumCatalogBytes)
        case "signature":
          hasSignature = true
          signature = try reader.unlessNull { (reader) throws(DocumentError) in
            try reader.string(atMost: SSHSignature.maximumArmorLength)
          }
        case "signatures": signatures = try reader.signatures()
        default: try reader.skip()
        }
      }
    }
    guard hasFormat else { throw DocumentError("it is not a catalog: it has no format") }
    guard let payload, hasSignature != (signatures != nil) else {
      throw DocumentError("the catalog lacks its payload or signature, or has two kinds of signatures")
    }
    if let signatures {
      self.init(payload: payload, signatures: signatures)
    } else {
      self.init(payload: payload, signature: signature)
    }
  }

  /// Reads the format, which must be the current one. Documents of another format are not read further, because their
  /// members may exceed the limits.
  private static func checkFormat(_ reader: inout JSONReader) throws(DocumentError) {
    let format = try reader.string(atMost: DocumentLimits.maximumWordBytes)
    guard format == Self.format else {
      let found = "its format is '\(format)', expected '\(Self.format)'"
      guard format.hasPrefix(family) else { throw DocumentError("it is not a catalog: \(found)") }
      throw DocumentError(
        format == earlierFormat
          ? "\(found): an earlier version of iapkg wrote it; publish its packages to a new store"
          : "\(found): another version of iapkg wrote it; update iapkg")
    }
  }

  /// Returns whether a document has the format of a catalog that another version of iapkg wrote.
  static func isOfOtherVersion(_ bytes: [UInt8]) -> Bool {
    var format: String?
    var reader = JSONReader(bytes, limits: DocumentLimits.catalog)
    try? reader.object { (key, reader) throws(DocumentError) in
      if key == "format" {
        format = try reader.string(atMost: DocumentLimits.maximumWordBytes)
      } else {
        try reader.skip()
      }
    }
    return format.map { $0.hasPrefix(family) && $0 != Self.format } ?? false
  }
}

extension JSONWriter {
  /// Writes the signatures of a document.
  mutating func write(signatures: [String]) {
    key("signatures")
    array { writer in for signature in signatures { writer.string(signature) } }
  }
}

extension JSONReader {
  /// Reads the signatures of a document.
  mutating func signatures() throws(DocumentError) -> [String] {
    var signatures: [String] = []
    try array { (reader) throws(DocumentError) in
      guard signatures.count < DocumentLimits.maximumSignatureCount else {
        throw reader.error("there are more than \(DocumentLimits.maximumSignatureCount) signatures")
      }
      signatures.append(try reader.string(atMost: SSHSignature.maximumArmorLength))
    }
    return signatures
  }
}

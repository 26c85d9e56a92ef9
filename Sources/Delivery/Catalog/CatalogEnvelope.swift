package import StrictJSON
import Support

/// The document `catalog.json`. Payload and signature are in one file, so that they always match.
package struct CatalogEnvelope: Sendable, Equatable {
  package static let format = "iapkg-catalog-2"
  private static let family = "iapkg-catalog-"
  /// The format of versions before the first release of iapkg.
  private static let earlierFormat = "iapkg-catalog-1"

  /// The signed JSON of the catalog.
  package let payload: [UInt8]
  /// An armored signature of the payload (PROTOCOL.sshsig); nil in an unsigned store.
  package let signature: String?

  package init(payload: [UInt8], signature: String?) {
    self.payload = payload
    self.signature = signature
  }

  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("format", Self.format)
      $0.member("payload", Base64.standard.encode(payload))
      $0.member("signature", signature)
    }
    return writer.line()
  }

  /// Parses `catalog.json`.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var payload: [UInt8]?
    var signature: String?
    var (hasFormat, hasSignature) = (false, false)
    var reader = JSONReader(bytes, limits: DocumentLimits.catalog)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "format":
          try Self.checkFormat(&reader)
          hasFormat = true
        case "payload": payload = try reader.base64(atMost: DocumentLimits.catalogBytes)
        case "signature":
          hasSignature = true
          signature = try reader.unlessNull { (reader) throws(DocumentError) in
            try reader.string(atMost: SSHSignature.maximumArmorLength)
          }
        default: try reader.skip()
        }
      }
    }
    guard hasFormat else { throw DocumentError("it is not a catalog: it has no format") }
    guard let payload, hasSignature else {
      throw DocumentError("the catalog lacks its payload or signature")
    }
    self.init(payload: payload, signature: signature)
  }

  /// Reads the format, which must be the current one: the other members of another format may exceed the limits.
  private static func checkFormat(_ reader: inout JSONReader) throws(DocumentError) {
    let format = try reader.string(atMost: DocumentLimits.wordBytes)
    guard format == Self.format else {
      let found = "its format is '\(format)', expected '\(Self.format)'"
      guard format.hasPrefix(family) else { throw DocumentError("it is not a catalog: \(found)") }
      throw DocumentError(
        format == earlierFormat
          ? "\(found): an earlier version of iapkg wrote it; publish its packages to a new store"
          : "\(found): another version of iapkg wrote it; update iapkg")
    }
  }

  /// Returns whether a document begins as a catalog that another version of iapkg wrote.
  static func isOfOtherVersion(_ bytes: [UInt8]) -> Bool {
    var format: String?
    var reader = JSONReader(bytes, limits: DocumentLimits.catalog)
    try? reader.object { (key, reader) throws(DocumentError) in
      if key == "format" {
        format = try reader.string(atMost: DocumentLimits.wordBytes)
      } else {
        try reader.skip()
      }
    }
    return format.map { $0.hasPrefix(family) && $0 != Self.format } ?? false
  }
}

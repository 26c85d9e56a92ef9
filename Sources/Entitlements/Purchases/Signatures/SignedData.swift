import StrictJSON
import Support

/// A JSON Web Signature in its compact form (RFC 7515, section 3.1), decoded but not yet verified.
struct SignedData {
  /// The maximum size, in bytes. A notification with a transaction and renewal information has about 20,000.
  static let maximumSize = 256 << 10
  /// The maximum size of a header, in bytes. A header has three certificates of about 1,000 bytes.
  static let maximumHeaderSize = 64 << 10

  let header: SignedDataHeader
  /// The payload's JSON, with the exact bytes that were signed.
  let payload: [UInt8]
  /// The bytes that the signature covers.
  let signedBytes: ArraySlice<UInt8>
  let signature: [UInt8]

  /// Parses a JSON Web Signature without verifying it.
  ///
  /// - Throws: `.malformed`, or `.algorithm` if the algorithm in the header is not ES256.
  init(_ bytes: [UInt8]) throws(VerificationError) {
    guard bytes.count <= Self.maximumSize else {
      throw Self.malformed("it has \(bytes.count) bytes, expected at most \(Self.maximumSize)")
    }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw Self.malformed("it has \(parts.count) parts, expected the three of a JSON Web Signature")
    }
    header = try SignedDataHeader(json: try Self.decode(parts[0], "header", atMost: Self.maximumHeaderSize))
    payload = try Self.decode(parts[1], "payload", atMost: Self.maximumSize)
    signature = try Self.decode(parts[2], "signature", atMost: Self.maximumSize)
    signedBytes = bytes[..<parts[1].endIndex]
  }

  private static func decode(
    _ part: ArraySlice<UInt8>, _ name: String, atMost limit: Int
  ) throws(VerificationError) -> [UInt8] {
    guard part.count <= limit else {
      throw malformed("the \(name) has \(part.count) bytes, expected at most \(limit)")
    }
    guard let bytes = Base64.url.decode(part) else {
      throw malformed("the \(name) is not base64url without padding")
    }
    return bytes
  }

  private static func malformed(_ message: String) -> VerificationError {
    VerificationError(.malformed, message)
  }
}

/// The header of a JSON Web Signature, with the fields of the App Store's headers.
struct SignedDataHeader {
  /// The maximum number of certificates in a header.
  private static let maximumCertificateCount = 16

  /// The base64 of the certificates in `x5c` (RFC 7515, section 4.1.6); empty if there are none.
  var certificates: [String] = []

  init(json: [UInt8]) throws(VerificationError) {
    var algorithm: String?
    var hasCriticalNames = false
    do throws(DocumentError) {
      var reader = JSONReader(json)
      var certificates: [String] = []
      try reader.document { (reader) throws(DocumentError) in
        try reader.object { (key, reader) throws(DocumentError) in
          switch key {
          case "alg": algorithm = try reader.string(atMost: 64)
          case "crit":
            hasCriticalNames = true
            try reader.skip()
          case "x5c":
            try reader.array { (reader) throws(DocumentError) in
              guard certificates.count < Self.maximumCertificateCount else {
                throw reader.error("there are more than \(Self.maximumCertificateCount) certificates")
              }
              certificates.append(try reader.string())
            }
          default: try reader.skip()
          }
        }
      }
      self.certificates = certificates
    } catch {
      throw VerificationError(.malformed, "the header cannot be read: \(error.message)")
    }
    guard algorithm == ES256Signer.algorithm else {
      let found = algorithm.map { "'\($0)'" } ?? "none"
      throw VerificationError(.algorithm, "the algorithm is \(found), expected \(ES256Signer.algorithm)")
    }
    // RFC 7515, section 4.1.11: a critical extension that is not understood makes the signature invalid.
    guard !hasCriticalNames else {
      throw VerificationError(.malformed, "the header has critical extensions, expected none")
    }
  }
}

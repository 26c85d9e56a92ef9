import StrictJSON

/// The body of an App Store notification: JSON with the signed notification (responseBodyV2).
public enum NotificationBody {
  /// The maximum size of a body, in bytes.
  public static let maximumSize = SignedData.maximumSize + 1024

  /// Extracts the signed notification from a body.
  ///
  /// - Returns: The `signedPayload`, not yet verified.
  /// - Throws: `.malformed` if the body is too large, is not a JSON object or has no `signedPayload`.
  public static func signedPayload(of body: [UInt8]) throws(VerificationError) -> [UInt8] {
    guard body.count <= maximumSize else {
      throw VerificationError(.malformed, "the body has \(body.count) bytes, expected at most \(maximumSize)")
    }
    var signed: String?
    do throws(DocumentError) {
      var reader = JSONReader(body)
      try reader.document { (reader) throws(DocumentError) in
        try reader.object { (key, reader) throws(DocumentError) in
          if key == "signedPayload" { signed = try reader.string() } else { try reader.skip() }
        }
      }
    } catch {
      throw VerificationError(.malformed, "the body cannot be read: \(error.message)")
    }
    guard let signed else { throw VerificationError(.malformed, "the body has no signedPayload") }
    return Array(signed.utf8)
  }
}

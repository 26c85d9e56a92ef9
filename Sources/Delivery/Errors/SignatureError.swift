import Support

/// A defect of a signature or key, as one lower-case sentence without a full stop that is safe to print.
public struct SignatureError: Error, Sendable, Equatable {
  /// The description of the defect.
  public let message: String
  /// The action that resolves the error; nil if there is none.
  public let advice: StoreAdvice?

  /// Creates an error. The message need not be safe to print.
  package init(_ message: String, advice: StoreAdvice? = nil) {
    self.message = String(displaying: message.utf8)
    self.advice = advice
  }

  /// Returns the error for a key that is not Ed25519. Its message names the kind of the key.
  static func unsupportedKey(_ algorithm: String) -> SignatureError {
    let known: [(String, String)] = [
      ("-cert-v01@openssh.com", "a certificate"), ("ssh-rsa", "an RSA key"), ("rsa-sha2", "an RSA key"),
      ("ecdsa-", "an ECDSA key"), ("ssh-dss", "a DSA key"),
    ]
    let found = known.first { algorithm.contains($0.0) }?.1 ?? "a key of the kind '\(algorithm)'"
    return SignatureError(
      "it is \(found), expected an Ed25519 key; create one with ssh-keygen -t ed25519")
  }
}

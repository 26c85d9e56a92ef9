import Crypto
import StrictJSON
import Support
import SwiftASN1
import X509

/// Signs payloads with testing certificates, in place of the App Store.
public struct TestingSigner: Sendable {
  private let header: [UInt8]
  private let signer: ES256Signer

  /// Creates a signer with the signing certificate and its key.
  ///
  /// - Throws: The errors of the cryptography library.
  public init(_ certificates: TestingCertificates) throws {
    try self.init(
      chain: [certificates.leaf, certificates.intermediate, certificates.root].map(\.certificate),
      leafKey: certificates.leafKey)
  }

  /// Reads the certificates and the key from a folder that `TestingCertificates.write` made.
  ///
  /// - Throws: `FileError` or `SourceError` if a file cannot be read, and other errors for invalid content.
  public init(folder: String) throws {
    self = try TestingCertificates.readSigner(from: folder)
  }

  init(chain: [Certificate], leafKey: P256.Signing.PrivateKey) throws {
    let certificates = try chain.map { Base64.standard.encode(try $0.serializeAsPEM().derBytes) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("alg", ES256Signer.algorithm)
      writer.key("x5c")
      writer.array { writer in certificates.forEach { writer.string($0) } }
    }
    header = writer.bytes
    signer = ES256Signer(leafKey)
  }

  /// Signs a payload and returns a JSON Web Signature in its compact form.
  public func sign(_ payload: [UInt8]) throws -> String {
    try signer.sign(payload, header: header)
  }

  /// Signs the payload of a transaction.
  public func sign(_ transaction: TestingTransaction) throws -> String { try sign(transaction.payload) }

  /// Signs the payload of a notification.
  public func sign(_ notification: TestingNotification) throws -> String { try sign(notification.payload) }

  /// Signs the payload of renewal information.
  public func sign(_ renewal: TestingRenewal) throws -> String { try sign(renewal.payload) }
}

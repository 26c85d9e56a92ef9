import Support
import SwiftASN1
import X509

/// A trusted root certificate: Apple's or a developer's own.
public struct RootCertificate: Sendable, Hashable {
  let certificate: Certificate

  init(_ certificate: Certificate) { self.certificate = certificate }

  /// Parses one certificate in DER.
  ///
  /// - Throws: `RootCertificateError` if the bytes are not a certificate.
  public init(derEncoded bytes: [UInt8]) throws(RootCertificateError) {
    do {
      certificate = try Certificate(derEncoded: bytes)
    } catch {
      throw RootCertificateError("it is not an X.509 certificate in DER")
    }
  }

  /// Parses a file with one certificate in DER, or any number in PEM.
  ///
  /// - Throws: `RootCertificateError` if the file has no certificate, or anything other than root certificates.
  public static func read(_ bytes: [UInt8]) throws(RootCertificateError) -> [RootCertificate] {
    // DER begins with a SEQUENCE, and PEM is text.
    if bytes.first == 0x30 { return [try RootCertificate(derEncoded: bytes).checked()] }
    guard let text = String(validating: bytes, as: UTF8.self),
      let documents = try? PEMDocument.parseMultiple(pemString: text), !documents.isEmpty
    else { throw RootCertificateError("it has no certificate, expected one in DER or PEM") }
    var roots: [RootCertificate] = []
    for document in documents {
      guard document.discriminator == Certificate.defaultPEMDiscriminator else {
        throw RootCertificateError(
          "it has a \(document.discriminator), expected only certificates in PEM")
      }
      roots.append(try RootCertificate(derEncoded: document.derBytes).checked())
    }
    return roots
  }

  /// Returns the certificate if it signs itself, as a root does.
  private func checked() throws(RootCertificateError) -> Self {
    guard certificate.issuer == certificate.subject,
      certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
    else {
      throw RootCertificateError(
        "'\(certificate.subject)' is issued by '\(certificate.issuer)', expected a certificate that signs itself"
      )
    }
    return self
  }
}

/// An error in a file of certificates.
public struct RootCertificateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One lower-case sentence without a full stop, safe to print.
  public let message: String
  public var description: String { message }

  init(_ message: String) { self.message = String(displaying: message.utf8) }
}

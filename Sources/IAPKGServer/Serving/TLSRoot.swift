import Crypto
import SafeFiles
import Support
import SwiftASN1
import SystemPackage
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// The root of the certificates for one name.
struct TLSRoot {
  let certificate: Certificate
  let key: P256.Signing.PrivateKey
  /// The file with the certificate alone.
  let path: String

  private static let maximumByteCount = 64 << 10
  private static let certificateMark = "-----BEGIN CERTIFICATE-----"

  /// Opens or creates the root for a name.
  ///
  /// - Parameters:
  ///   - name: The host name.
  ///   - folder: The folder of the roots. It is created if it is missing.
  ///   - validity: The validity of a new root in seconds.
  ///   - tolerance: The time before now at which a new root begins to be valid, in seconds.
  /// - Returns: The root, whose certificate alone is in `path`.
  /// - Throws: See `TLSIdentity.init`.
  static func open(
    for name: HostName, in folder: String, valid validity: Double, _ tolerance: Double
  ) throws -> TLSRoot {
    if try FileSystem.status(of: folder, followingLinks: true) == nil {
      let parent = try DirectoryHandle.open(FileSystem.folder(of: folder))
      try parent.makeFolder(FileSystem.name(of: folder), permissions: 0o700)
    }
    let handle = try DirectoryHandle.open(folder)
    let fileName = Array("\(name.text).pem".utf8)
    let path = FileSystem.joined(folder, "\(name.text).crt")
    if try handle.status(of: fileName) == nil {
      let text = try make(for: name, valid: validity, tolerance)
      let temporary = Array(".\(name.text)-\(UInt64.random(in: .min ... .max))".utf8)
      var file = try handle.createFile(temporary, permissions: 0o600)
      defer { try? handle.remove(temporary) }
      try file.write(unsafe Array(text.utf8).borrowedSpan.bytes)  // UInt8 has no padding
      try file.synchronize()
      try file.close()
      do throws(FileError) {
        try handle.move(temporary, to: fileName, in: handle)
      } catch {
        // Another server has just made the root.
        guard error.errno == .fileExists else { throw error }
      }
    }
    let root = try TLSRoot(reading: handle.openFile(fileName), exportedAs: path)
    var file = try StagedOutput.create(at: path, replacing: true)
    let exported = Array((try root.certificate.serializeAsPEM().pemString + "\n").utf8)
    try file.write(unsafe exported.borrowedSpan.bytes)  // UInt8 has no padding
    try file.commit()
    return root
  }

  private init(reading file: InputFile, exportedAs path: String) throws {
    let shown = String(displaying: file.path.utf8)
    let text = String(decoding: try file.secret("the key", atMost: Self.maximumByteCount), as: UTF8.self)
    guard let mark = text.firstRange(of: Self.certificateMark),
      let key = try? P256.Signing.PrivateKey(pemRepresentation: String(text[..<mark.lowerBound])),
      let certificate = try? Certificate(pemEncoded: String(text[mark.lowerBound...])),
      certificate.publicKey == Certificate.PrivateKey(key).publicKey
    else {
      throw CommandFailure(
        .configuration,
        "\(shown) has no root key and certificate; delete the file to make a new root, which devices must trust again"
      )
    }
    guard certificate.notValidAfter > Date.now else {
      throw CommandFailure(
        .configuration,
        "the root in \(shown) has expired; delete the file to make a new root, which devices must trust again"
      )
    }
    self.certificate = certificate
    self.key = key
    self.path = path
  }

  /// Returns a new key and a root certificate that may issue certificates for the name only, in PEM.
  private static func make(for name: HostName, valid validity: Double, _ tolerance: Double) throws -> String {
    let key = P256.Signing.PrivateKey()
    let now = Date.now
    let subject = try DistinguishedName {
      CommonName("iapkg test root for \(name.text)")
    }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PrivateKey(key).publicKey, notValidBefore: now - tolerance,
      notValidAfter: now + validity, issuer: subject, subject: subject,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
        Critical(NameConstraints(permittedSubtrees: [.dnsName(name.text)]))
        SubjectKeyIdentifier(hash: Certificate.PrivateKey(key).publicKey)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
    return "\(key.pemRepresentation)\n\(try certificate.serializeAsPEM().pemString)\n"
  }

  /// Returns the certificate in DER.
  static func bytes(of certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}

import Crypto
import SafeFiles
import Support
import SwiftASN1
import SystemPackage
import X509

extension TestingCertificates {
  /// The file names, without extensions.
  private enum Name {
    static let root = "root"
    static let intermediate = "intermediate"
    static let leaf = "leaf"
  }

  /// The maximum size of a file, in bytes.
  private static let maximumFileSize = 64 << 10

  /// Writes `root.pem`, `root.key` and the files of the other certificates into a folder, readable by the owner only.
  /// Creates a missing folder.
  ///
  /// - Returns: The path of the root certificate.
  /// - Throws: `FileError`. If one of the files exists, the error has the operation `create` and `.fileExists`, and no file
  ///   is written.
  public func write(to folder: String) throws -> String {
    let files = try [(Name.root, root), (Name.intermediate, intermediate), (Name.leaf, leaf)].flatMap {
      name, issued in
      [
        ("\(name).pem", try issued.certificate.serializeAsPEM().pemString),
        ("\(name).key", try issued.key.serializeAsPEM().pemString),
      ]
    }
    _ = try FileSystem.makeFolderIfMissing(folder)
    let handle = try DirectoryHandle.open(folder)
    for (name, _) in files where try handle.status(of: name.utf8) != nil {
      throw FileError(.create, FileSystem.joined(folder, name), .fileExists)
    }
    for (name, text) in files {
      var file = try handle.createFile(name.utf8, permissions: 0o600)
      try file.write(unsafe Array((text + "\n").utf8).borrowedSpan.bytes)  // UInt8 has no padding
      try file.close()
    }
    return FileSystem.joined(folder, "\(Name.root).pem")
  }

  /// Reads the certificates and the signing key from a folder that `write` made.
  static func readSigner(from folder: String) throws -> TestingSigner {
    let chain = try [Name.leaf, Name.intermediate, Name.root].map { name in
      try Certificate(pemEncoded: try text(of: FileSystem.joined(folder, "\(name).pem")))
    }
    let path = FileSystem.joined(folder, "\(Name.leaf).key")
    return try TestingSigner(chain: chain, leafKey: .init(pemRepresentation: try text(of: path)))
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try InputFile.open(path).bytes(at: 0, count: maximumFileSize), as: UTF8.self)
  }
}

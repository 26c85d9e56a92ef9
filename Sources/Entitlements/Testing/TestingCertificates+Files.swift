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
  /// Creates a missing folder. An error leaves nothing behind.
  ///
  /// - Returns: The path of the root certificate.
  /// - Throws: `FileError`. If one of the files exists, the error has the operation `create` and `.fileExists`.
  public func write(to folder: String) throws -> String {
    let files = try [(Name.root, root), (Name.intermediate, intermediate), (Name.leaf, leaf)].flatMap {
      name, issued in
      [
        ("\(name).pem", try issued.certificate.serializeAsPEM().pemString),
        ("\(name).key", try issued.key.serializeAsPEM().pemString),
      ]
    }
    let isMade = try FileSystem.makeFolderIfMissing(folder)
    do {
      let handle = try DirectoryHandle.open(folder)
      try write(files, into: handle)
    } catch {
      if isMade { FileSystem.removeFolderIfEmpty(folder) }
      throw error
    }
    return FileSystem.joined(folder, "\(Name.root).pem")
  }

  /// Writes all files, or none if one of them exists or cannot be written.
  private func write(
    _ files: [(String, String)], into folder: borrowing DirectoryHandle
  ) throws(FileError) {
    for (name, _) in files where try folder.status(of: name.utf8) != nil {
      throw FileError(.create, FileSystem.joined(folder.path, name), .fileExists)
    }
    var written: [String] = []
    do throws(FileError) {
      for (name, text) in files {
        var file = try folder.createFile(name.utf8, permissions: 0o600)
        written.append(name)
        try file.write(unsafe Array((text + "\n").utf8).borrowedSpan.bytes)  // UInt8 has no padding
        try file.close()
      }
    } catch {
      for name in written { try? folder.remove(name.utf8) }
      throw error
    }
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

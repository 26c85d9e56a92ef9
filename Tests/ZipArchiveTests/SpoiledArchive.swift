import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// A valid package with one defect, and the findings that its structure must report.
struct SpoiledArchive: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let kinds: [ZipFinding.Kind]
  let spoil: @Sendable (inout ForgedArchive) -> Void

  init(
    _ description: String, _ kinds: ZipFinding.Kind...,
    spoil: @escaping @Sendable (inout ForgedArchive) -> Void
  ) {
    self.init(description, kinds, spoil: spoil)
  }

  init(
    _ description: String, _ kinds: [ZipFinding.Kind],
    spoil: @escaping @Sendable (inout ForgedArchive) -> Void
  ) {
    testDescription = description
    self.kinds = kinds
    self.spoil = spoil
  }

  /// Checks that reading reports exactly the findings of `kinds`.
  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var archive = ForgedArchive.book()
    spoil(&archive)
    let structure = try ZipStructure(of: archive)
    #expect(structure.findings.map(\.kind) == kinds, "\(structure.findings)", sourceLocation: sourceLocation)
    #expect(structure.isSound == kinds.allSatisfy(\.isTolerable), sourceLocation: sourceLocation)
    for finding in structure.findings {
      #expect(finding.message.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, sourceLocation: sourceLocation)
    }
  }
}

extension ZipStructure {
  init(of archive: ForgedArchive) throws { try self.init(of: archive.bytes()) }

  init(of bytes: [UInt8]) throws { self = try ZipStructure.read(from: MemoryBytes(bytes)) }
}

/// The names of the entries that tests change: a stored file, a deflated file with a data descriptor, and a folder.
enum Name {
  static let stored = "Contents/pages/one.txt"
  static let deflated = "Contents/cover.txt"
  static let folder = "Contents/pages/"
}

import PackageForge
import SafeFiles
import Support
import Testing
import ZipArchive

@testable import ContentPackage

/// Archives after other data, recognized by the end of the file.
struct FileEndTests {
  /// The header of a class file of Java 17 (JVM specification 4.1).
  private static let classFile: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61]

  #if COMMAND_LINE_TOOL
  @Test(
    arguments: [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0], Array("GIF89a".utf8),
      Array("%PDF-1.7".utf8), Array("plain text".utf8), [],
    ] as [[UInt8]], [0, 10, 5000, 100_000])
  func `a class file in an archive after a picture or document is nested code`(
    beginning: [UInt8], padding: Int
  ) throws {
    var archive = ForgedArchive([.file("Main.class", Self.classFile)])
    archive.prefix = beginning + [UInt8](repeating: 9, count: padding)
    #expect(try inspect(archive.bytes()).map(\.rule) == [.fileNestedExecutable])
  }

  @Test(arguments: [0, 1, 17_000, 65_535])
  func `a comment of any length hides no archive`(length: Int) throws {
    var archive = ForgedArchive([.file("Main.class", Self.classFile)])
    archive.end.comment = [UInt8](repeating: 0x20, count: length)
    #expect(try inspect(archive.bytes()).map(\.rule) == [.fileNestedExecutable])
    archive.prefix = [UInt8](repeating: 9, count: 70_000)
    #expect(try inspect(archive.bytes()).map(\.rule) == [.fileNestedExecutable])
  }

  @Test func `an archive in the comment of another hides neither`() throws {
    var decoy = ForgedArchive([.file("a.txt", "x")])
    var archive = ForgedArchive([.file("Main.class", Self.classFile)])
    // The comment of the decoy does not end at the end of the file, so Java reads the archive before it.
    decoy.end.comment = [0x20]
    archive.end.comment = decoy.bytes().dropLast()
    #expect(try inspect(archive.bytes()).map(\.rule) == [.fileNestedExecutable])
    // Now the end record of the archive is valid, and that of the decoy, which precedes it, is not.
    decoy.suffix = archive.bytes()
    #expect(try inspect(decoy.bytes()).map(\.rule).contains(.fileNestedExecutable))
  }

  @Test func `an archive of content after a picture is content`() throws {
    var archive = ForgedArchive([.file("a.txt", "x")])
    archive.prefix = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 9, count: 5000)
    #expect(try inspect(archive.bytes()) == [])
  }
  #else
  @Test(arguments: [0, 5000])
  func `an archive after other data is reported as not inspected`(padding: Int) throws {
    var archive = ForgedArchive([.file("Main.class", Self.classFile)])
    archive.prefix = [UInt8](repeating: 9, count: padding)
    let found = try inspect(archive.bytes())
    #expect(found.map(\.rule) == [.fileNestedArchive])
    #expect(found.first?.message.contains("does not read archives inside content") == true)
  }
  #endif

  @Test func `signatures of an end record without a valid record are ordinary content`() throws {
    let marks = Array(repeatElement(Array("PK\u{5}\u{6}".utf8), count: 10_000).joined())
    #expect(try inspect([9] + marks) == [])
  }

  private func inspect(_ bytes: [UInt8]) throws -> [Finding] {
    let path = EntryPath("Contents/cover.png")
    let item = ContentItem(path: path, kind: .file, size: Int64(bytes.count), permissions: 0o644, index: 0)
    var taken = FileExcerpt(size: item.size)
    for start in stride(from: 0, to: bytes.count, by: 4099) {
      taken.update(bytes[start..<min(start + 4099, bytes.count)].span)
    }
    let inspector = ContentInspector(cancellation: .init())
    let found = try [FileExcerpt.read(MemoryBytes(bytes)), taken].map { excerpt in
      try inspector.inspect(item, excerpt) { MemoryBytes(bytes) }.findings
    }
    #expect(found[0] == found[1])
    return found[0]
  }
}

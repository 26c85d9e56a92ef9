import Foundation
import PackageForge
import SafeFiles
import Support
import Testing
import ZipArchive

@testable import ContentPackage

/// Compressed streams in content: the beginning of an ELF program, compressed by each format's own program.
struct NestedStreamRulesTests {
  private static let programs: [(NestedStream.Method, String)] = [
    (.gzip, "H4sIAAAAAAACA6t39XFjYmRkgAEmBjsGUgAAkwuhV0AAAAA="),
    (
      .bzip2,
      "QlpoOTFBWSZTWeN1I9IAAAncgHIAACAAAQMEAACgACIaZBoQAwF1Ekhapbb8XckU4UJDjdSPSA=="
    ),
    (
      .xz,
      "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AA/ABNdAD+RRYRoPYmm2orMk+JP5wLbQAAAAJkq1ANu82bOAAEvQNbMRkQftvN9AQAAAAAEWVo="
    ),
    (.lzma, "XQAAgAD//////////wA/kUWEaD2JptqKzJPiT+cJ4Gf///zMAAA="),
    (.lzip, "TFpJUAEQAD+RRYRoPYmm2orMk+JP5wngZ////MwAAJMLoVdAAAAAAAAAADMAAAAAAAAA"),
    (.zstd, "KLUv/QRYpQAAYH9FTEYCAQEAAgA+AAIAAUNewAV8Gh7p"),
    (.lz4, "BCJNGGRApxsAAACEf0VMRgIBAQABADQCAD4LAA8CAA1QAAAAAAAAAAAA2nXKAA=="),
    (.lz4, "AiFMGBsAAACEf0VMRgIBAQABADQCAD4LAA8CAA1QAAAAAAA="),
    (
      .compress,
      "H52Qf4owMSIgQAAAAAAAAAAAAAAAAgD4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    ),
  ]

  /// The streams that this build can decode.
  private static let decodable: [(NestedStream.Method, String)] = {
    #if COMMAND_LINE_TOOL
    return programs
    #else
    return programs.filter { $0.0 == .gzip }
    #endif
  }()

  #if !COMMAND_LINE_TOOL
  @Test(arguments: programs.filter { $0.0 != .gzip })
  func `a stream in a format other than gzip is reported as unchecked`(
    method: NestedStream.Method, base64: String
  ) throws {
    let bytes = try #require(Data(base64Encoded: base64))
    let found = try inspect(Array(bytes))
    #expect(found.map(\.rule) == [.fileNestedArchive])
    #expect(found.first?.message.contains("decodes gzip streams only") == true)
  }
  #endif

  @Test(arguments: decodable)
  func `a program in a compressed stream is nested code`(method: NestedStream.Method, base64: String) throws {
    let bytes = try #require(Data(base64Encoded: base64))
    let found = try inspect(Array(bytes))
    #expect(found.map(\.rule) == [.fileNestedExecutable])
    #expect(found.first?.message.contains("of an ELF executable (x86-64, 64-bit)") == true)
  }

  @Test(arguments: decodable)
  func `a truncated stream is reported`(method: NestedStream.Method, base64: String) throws {
    let bytes = try #require(Data(base64Encoded: base64))
    let found = try inspect(Array(bytes.prefix(24)))
    #expect(!found.isEmpty)
    // A compress stream has no end marker, and zlib decodes the beginning of a gzip stream.
    let rules: [Rule] =
      method == .compress
      ? [.filePossibleCode] : [.fileNestedArchive, .fileNestedExecutable, .filePossibleCode]
    #expect(found.map(\.rule).filter { !rules.contains($0) } == [], "\(found.map(\.message))")
  }

  @Test func `a stream of ordinary content has no findings`() throws {
    #expect(try inspect(gzip(Array("<svg/>".utf8))) == [])
    #expect(try inspect(gzip([])) == [])
    #expect(try inspect(gzip([UInt8](repeating: 0x20, count: 100_000))) == [])
  }

  @Test func `a script, a possible program and an archive in a stream are reported`() throws {
    #expect(try inspect(gzip(Array("#!/bin/sh\n".utf8))).map(\.rule) == [.fileScript])
    #expect(try inspect(gzip(Array("MZ".utf8))).map(\.rule) == [.filePossibleCode])
    let archive = try inspect(gzip(ForgedArchive.book().bytes()))
    // A build without libarchive reports the stored archive at the end of the file too.
    #expect(archive.allSatisfy { $0.rule == .fileNestedArchive })
    #expect(
      archive.first?.message
        == "contains a gzip stream of a ZIP archive, which is nested too deeply to be checked")
  }

  @Test func `a gzip header with malformed data is reported as unchecked`() throws {
    #expect(
      try inspect([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0xFF, count: 50)).map(\.rule) == [
        .fileNestedArchive
      ])
  }

  @Test func `a gzip header without an end is reported as unchecked`() throws {
    // The header contains the file name up to a NUL.
    let name = [UInt8](repeating: 0x61, count: 17 << 20)
    #expect(try inspect([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3] + name).map(\.rule) == [.fileNestedArchive])
  }

  private func inspect(_ bytes: [UInt8]) throws -> [Finding] {
    let path = EntryPath("Contents/x.gz")
    let item = ContentItem(path: path, kind: .file, size: Int64(bytes.count), permissions: 0o644, index: 0)
    let excerpt = try FileExcerpt.read(MemoryBytes(bytes))
    return try ContentInspector(cancellation: .init()).inspect(item, excerpt) { MemoryBytes(bytes) }.findings
  }

  /// A gzip stream with one member (RFC 1952).
  private func gzip(_ content: [UInt8]) -> [UInt8] {
    let numbers = [ForgedEntry.file("x", content).crc32, UInt32(content.count)]
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Deflate.stored(content)
      + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
  }
}

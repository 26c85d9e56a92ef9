import PackageForge
import SafeFiles
import Synchronization
import SystemPackage
import Testing
import ZipArchive

/// Reading of the structure: in pieces, and from sources that misbehave.
struct ReadingTests {
  @Test func `the data of entries is not read`() throws {
    let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
    let archive = ForgedArchive((0..<4).map { .file("Contents/\($0)", megabyte) })
    let source = CountingBytes(archive.bytes())
    let structure = try ZipStructure.read(from: source)
    #expect(structure.findings == [])
    #expect(structure.entries.count == 4)
    #expect(source.bytesRead < 256 * 1024)
  }

  @Test func `adjacent entries are read together`() throws {
    let archive = ForgedArchive((0..<1000).map { .file("Contents/\($0)", "") })
    let source = CountingBytes(archive.bytes())
    #expect(try ZipStructure.read(from: source).entries.count == 1000)
    #expect(source.reads < 50)
  }

  @Test func `a source with fewer bytes than it declares has a finding`() throws {
    let bytes = ForgedArchive.book().bytes()
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let source = CountingBytes(Array(bytes[..<count]), byteCount: Int64(bytes.count))
      #expect(try !ZipStructure.read(from: source).isSound)
    }
  }

  @Test func `a directory too large for any package is not read`() throws {
    let size = ZipStructure.maximumDirectorySize + 1
    var archive = ForgedArchive()
    archive.end.directorySize = UInt32(size)
    archive.end.directoryOffset = 0
    let structure = try ZipStructure.read(from: PaddedBytes(padding: size, tail: archive.bytes()))
    #expect(structure.findings.map(\.kind) == [.directorySize])
  }

  @Test func `a read error is thrown`() {
    let error = SourceError.file(FileError(.read, "a.pkg", .ioError))
    #expect(throws: error) { try ZipStructure.read(from: FailingBytes(error: error)) }
  }
}

/// Bytes in memory that count reads and the bytes read.
private final class CountingBytes: ByteSource {
  let name = "counted"
  let byteCount: Int64
  private let contents: MemoryBytes
  private let counts = Mutex((reads: 0, bytes: 0))

  init(_ contents: [UInt8], byteCount: Int64? = nil) {
    self.contents = MemoryBytes(contents)
    self.byteCount = byteCount ?? Int64(contents.count)
  }

  var reads: Int { counts.withLock { $0.reads } }
  var bytesRead: Int { counts.withLock { $0.bytes } }

  func hasChanged() -> Bool { false }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    let count = contents.read(at: offset, into: &buffer)
    counts.withLock { $0 = ($0.reads + 1, $0.bytes + count) }
    return count
  }
}

/// Bytes that cannot be read.
private struct FailingBytes: ByteSource {
  let name = "failing"
  let error: SourceError
  let byteCount: Int64 = 1000

  func hasChanged() -> Bool { false }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int { throw error }
}

/// Many zero bytes, which take no memory, followed by `tail`.
private struct PaddedBytes: ByteSource {
  let name = "padded"
  let padding: Int64
  let tail: [UInt8]

  var byteCount: Int64 { padding + Int64(tail.count) }

  func hasChanged() -> Bool { false }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    let count = min(buffer.byteCount, Int(byteCount - offset))
    for index in 0..<count {
      let position = Int(offset - padding) + index
      buffer.storeBytes(of: position < 0 ? 0 : tail[position], toByteOffset: index, as: UInt8.self)
    }
    return count
  }
}

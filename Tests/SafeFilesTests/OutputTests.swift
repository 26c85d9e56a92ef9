import Support
import SystemPackage
import Testing

@testable import SafeFiles

@Suite("An output file")
struct OutputFileTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(arguments: [1, 7, 4096, 65_535, 65_536, 200_000])
  func `contains the written bytes, for pieces of every size`(size: Int) throws {
    let bytes = pattern(400_000)
    var file = try scratch.folder.createFile("f".utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      try file.write(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    #expect(file.byteCount == 400_000)
    try file.synchronize()
    try file.close()
    #expect(try scratch.contents("f") == bytes)
  }

  @Test func `copies ranges of a file after written bytes`() throws {
    let bytes = pattern(3_000_000)
    try scratch.makeFile("source", bytes)
    let source = try scratch.folder.openFile("source".utf8)
    var file = try scratch.folder.createFile("f".utf8)
    try file.write([1, 2, 3])
    try file.copy(from: source, range: 1_000_000..<2_999_999)
    try file.copy(from: source, range: 5..<5)
    try file.write([4])
    try file.copy(from: source, range: 0..<1)
    #expect(file.byteCount == 2_000_004)
    try file.close()
    #expect(try scratch.contents("f") == [1, 2, 3] + bytes[1_000_000..<2_999_999] + [4, bytes[0]])
  }

  @Test func `copies between file systems too`() throws {
    guard (try? FileSystem.status(of: "/dev/shm", followingLinks: true)) ?? nil != nil else { return }
    let elsewhere = try Scratch(in: "/dev/shm")
    let bytes = pattern(2_500_000)
    try elsewhere.makeFile("source", bytes)
    var file = try scratch.folder.createFile("f".utf8)
    try file.copy(from: elsewhere.folder.openFile("source".utf8), range: 100..<2_500_000)
    try file.close()
    #expect(try scratch.contents("f") == Array(bytes[100...]))
  }

  @Test func `names a source that ends too early`() throws {
    try scratch.makeFile("source", [1, 2, 3])
    var file = try scratch.folder.createFile("f".utf8)
    let source = try scratch.folder.openFile("source".utf8)
    let name = "\(scratch.path)/source"
    #expect(throws: SourceError.endedEarly(name)) { try file.copy(from: source, range: 0..<4) }
    #expect(
      SourceError.endedEarly(name).description
        == "cannot read \(name): it became shorter while it was read")
    #expect(throws: SourceError.endedEarly("memory")) {
      try file.copy(from: MemoryBytes([1, 2, 3]), range: 0..<4)
    }
  }

  @Test func `copies any bytes, and parts of them`() throws {
    let bytes = pattern(1_500_000)
    try scratch.makeFile("source", bytes)
    let sources: [any ByteSource] = [
      try scratch.folder.openFile("source".utf8), MemoryBytes(bytes), FarBytes(MemoryBytes(bytes)),
    ]
    for (number, source) in sources.enumerated() {
      let part = source.part(1000..<1_400_000).part(10..<1_300_000)
      var file = try scratch.folder.createFile("\(number)".utf8)
      var copied: Int64 = 0
      try file.copy(from: part, range: 5..<1_200_000) { copied += $0 }
      try file.close()
      #expect(copied == 1_199_995)
      #expect(try scratch.contents("\(number)") == Array(bytes[1015..<1_201_010]))
      var read: [UInt8] = []
      #expect(
        try part.forEachBlock { block in unsafe block.withUnsafeBytes { unsafe read.append(contentsOf: $0) } }
      )
      #expect(read == Array(bytes[1010..<1_301_000]))
    }
  }

  /// Bytes that are only accessible through the protocol, without a file or memory.
  private struct FarBytes: ByteSource {
    let bytes: MemoryBytes
    init(_ bytes: MemoryBytes) { self.bytes = bytes }

    var name: String { "far" }
    var byteCount: Int64 { bytes.byteCount }
    func hasChanged() -> Bool { false }
    func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
      bytes.read(at: offset, into: &buffer)
    }
  }

  @Test(arguments: [10, 100_000])
  func `fails on a full device, at the latest when it is closed`(count: Int) throws {
    guard (try FileSystem.status(of: "/dev/full", followingLinks: true)) != nil else { return }
    let error = error {
      let device = try withCName("/dev/full".utf8) { name throws(Errno) in
        try POSIX.openPath(name, POSIX.writeOnly)
      }
      var file = OutputFile(owning: device, path: "/dev/full")
      try file.write(pattern(count))
      try file.close()
    }
    #expect(error == FileError(.write, "/dev/full", .noSpace))
  }
}

@Suite("A spool file")
struct SpoolFileTests {
  @Test func `reads back the written bytes and leaves no file`() throws {
    let scratch = try Scratch()
    let bytes = pattern(300_000)
    var spool = try SpoolFile.create(in: scratch.path)
    try spool.write(unsafe bytes.borrowedSpan.bytes)
    try spool.write(unsafe ([9] as [UInt8]).borrowedSpan.bytes)
    #expect(spool.byteCount == 300_001)
    #expect(try scratch.names() == [])
    let input = try spool.finish()
    #expect(input.byteCount == 300_001)
    #expect(try input.bytes(at: 0, count: 400_000) == bytes + [9])
    #expect(try input.bytes(at: 299_999, count: 1) == [bytes[299_999]])
    #expect(try input.bytes(at: 300_001, count: 1) == [])
  }

  @Test func `needs a folder`() throws {
    let error = error { _ = try SpoolFile.create(in: "/nonexistent") }
    #expect(error?.operation == .create)
    #expect(error?.errno == .noSuchFileOrDirectory)
  }
}

@Suite("A file lock")
struct FileLockTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func `a lock has one holder at a time, and can be acquired again`() throws {
    let first = try FileLock.acquire("lock".utf8, in: scratch.folder)
    let isFirst = first != nil
    #expect(isFirst)
    #expect(try !canAcquire("lock"))
    #expect(try canAcquire("other"))
    _ = consume first
    #expect(try canAcquire("lock"))
    #expect(try canAcquire("lock"))
  }

  @Test func `a lock is released although a child process has a copy of its descriptor`() throws {
    let held = try FileLock.acquire("lock".utf8, in: scratch.folder)
    let identity = try #require(try scratch.folder.status(of: "lock".utf8)).identity
    let descriptor = try #require((3..<1024).first { (try? POSIX.status(of: $0))?.identity == identity })
    let copy = try FileDescriptor(rawValue: descriptor).duplicate()
    _ = consume held
    #expect(try canAcquire("lock"))
    try copy.close()
  }

  @Test func `waits for another holder until the timeout or a cancellation`() throws {
    let held = try FileLock.acquire("lock".utf8, in: scratch.folder)
    let isHeld = held != nil
    #expect(isHeld)
    let isTakenInTime =
      try FileLock.acquire("lock".utf8, in: scratch.folder, waiting: .milliseconds(1)) != nil
    #expect(!isTakenInTime)
    let cancellation = Cancellation()
    cancellation.cancel()
    let isTakenWhenCanceled =
      try FileLock.acquire(
        "lock".utf8, in: scratch.folder, waiting: .seconds(3600), cancellation: cancellation) != nil
    #expect(!isTakenWhenCanceled)
    _ = consume held
  }

  /// Acquires and releases a lock.
  private func canAcquire(_ name: String) throws -> Bool {
    try FileLock.acquire(name.utf8, in: scratch.folder) != nil
  }

  @Test func `a lock is never acquired through a link, or on an item that is not a file`() throws {
    try scratch.folder.makeLink("link".utf8, target: Array("elsewhere".utf8))
    try scratch.folder.makeFolder("folder".utf8)
    try scratch.makeFifo("fifo")
    let expected: [(String, Errno, detail: String?)] = [
      ("link", .tooManySymbolicLinkLevels, "it is a symbolic link, which is not followed"),
      ("folder", .isDirectory, nil),
      ("fifo", .notSupported, "it is a fifo, not a regular file"),
    ]
    for (name, errno, detail) in expected {
      let error = error { _ = try FileLock.acquire(name.utf8, in: scratch.folder) }
      #expect(error == FileError(.lock, "\(scratch.path)/\(name)", errno, detail: detail))
    }
    #expect(try scratch.names() == ["fifo", "folder", "link"])
  }
}

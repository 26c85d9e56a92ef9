import CLibrary
import SystemPackage
import Testing

@testable import SafeFiles

@Suite("A directory handle")
struct DirectoryHandleTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(arguments: [
    ("", Errno.invalidArgument), (".", .invalidArgument), ("..", .invalidArgument),
    ("a/b", .invalidArgument), ("/", .invalidArgument), ("a\0b", .invalidArgument),
    (String(repeating: "n", count: 256), .fileNameTooLong),
  ])
  func `refuses names that are not a single plain component`(name: String, errno: Errno) {
    let name = name.utf8
    #expect(error { _ = try scratch.folder.createFile(name) }?.errno == errno)
    #expect(error { _ = try scratch.folder.openFile(name) }?.errno == errno)
    #expect(error { _ = try scratch.folder.openFolder(name) }?.errno == errno)
    #expect(error { try scratch.folder.makeFolder(name) }?.errno == errno)
    #expect(error { try scratch.folder.makeLink(name, target: [1]) }?.errno == errno)
    #expect(error { try scratch.folder.remove(name) }?.errno == errno)
    #expect(error { try scratch.folder.removeTree(name) }?.errno == errno)
    #expect(error { _ = try scratch.folder.status(of: name) }?.errno == errno)
    #expect(error { _ = try scratch.folder.readLink(name) }?.errno == errno)
    #expect(
      error { try scratch.folder.rename("a".utf8, to: name, in: scratch.folder, mode: .replace) }?.errno
        == errno)
  }

  @Test func `accepts names of 255 bytes, of three dots, and that are not UTF-8`() throws {
    let names: [[UInt8]] = [
      Array(repeating: 0x61, count: 255), Array("...".utf8), [0xFF, 0xFE], Array("..a".utf8),
      [0xE3, 0x81, 0x82], [0x0A],
    ]
    for name in names { try scratch.folder.createFile(name).close() }
    #expect(try scratch.folder.list() == names.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(try !scratch.folder.isEmpty())
    #expect(try scratch.folder.makeFolder("new".utf8).isEmpty())
    for name in names { #expect(try scratch.folder.openFile(name).byteCount == 0) }
  }

  @Test func `escapes names in errors`() {
    let missing = error { _ = try scratch.folder.openFile([0x61, 0x1B, 0x5B]) }
    #expect(missing?.path == "\(scratch.path)/a\\u{001B}[")
    #expect(error { _ = try scratch.folder.openFile([0x61, 0xFF]) }?.path == "\(scratch.path)/a\\xFF")
    #expect(missing?.errno == .noSuchFileOrDirectory)
    #expect(missing?.operation == .open)
  }

  @Test func `refuses to follow a link to a folder, with the reason`() throws {
    try scratch.folder.makeFolder("real".utf8)
    try scratch.folder.makeLink("link".utf8, target: Array("real".utf8))
    let error = error { _ = try scratch.folder.openFolder("link".utf8) }
    #expect(error?.errno == .notDirectory)
    #expect(error?.detail == "it is a symbolic link, which is not followed")
  }

  @Test func `refuses to follow a link to a file, with the reason`() throws {
    try scratch.makeFile("real", [1])
    try scratch.folder.makeLink("link".utf8, target: Array("real".utf8))
    let error = error { _ = try scratch.folder.openFile("link".utf8) }
    #expect(error?.errno == .tooManySymbolicLinkLevels)
    #expect(error?.detail == "it is a symbolic link, which is not followed")
  }

  @Test(arguments: ["file", "link"])
  func `creates no item over another, not even through a dangling link`(name: String) throws {
    try scratch.makeFile("file", [1, 2])
    try scratch.folder.makeLink("link".utf8, target: Array("elsewhere".utf8))
    #expect(error { _ = try scratch.folder.createFile(name.utf8) }?.errno == .fileExists)
    #expect(error { try scratch.folder.makeFolder(name.utf8) }?.errno == .fileExists)
    #expect(try scratch.names() == ["file", "link"])
    #expect(try scratch.contents("file") == [1, 2])
  }

  @Test func `opens only regular files, and does not wait for the writer of a fifo`() throws {
    try scratch.makeFifo("fifo")
    try scratch.folder.makeFolder("folder".utf8)
    let fifo = error { _ = try scratch.folder.openFile("fifo".utf8) }
    #expect(fifo?.errno == .notSupported)
    #expect(fifo?.detail == "it is a fifo, not a regular file")
    #expect(error { _ = try InputFile.open("\(scratch.path)/fifo") } == fifo)
    #expect(error { _ = try scratch.folder.openFile("folder".utf8) }?.errno == .isDirectory)
    #expect(
      error { _ = try InputFile.open("/dev/null") }?.detail
        == "it is a character device, not a regular file")
    #expect(try scratch.folder.status(of: "fifo".utf8)?.kind == .special(.fifo))
  }

  @Test func `opens for writing only regular files with one name, and does not wait for a reader of a fifo`()
    throws
  {
    try scratch.makeFile("file", [1, 2, 3])
    var file = try scratch.folder.openFile("file".utf8, toWriteAfter: 2)
    try file.write([4, 5])
    try file.close()
    #expect(try scratch.contents("file") == [1, 2, 4, 5])
    try #require(unsafe link("\(scratch.path)/file", "\(scratch.path)/linked") == 0)
    let linked = error { _ = try scratch.folder.openFile("file".utf8, toWriteAfter: 0) }
    #expect(linked?.errno == .notSupported)
    #expect(linked?.detail == "it has 2 names (hard links), expected one")
    #expect(try scratch.contents("linked") == [1, 2, 4, 5])
    try scratch.makeFifo("fifo")
    try scratch.folder.makeFolder("folder".utf8)
    try scratch.folder.makeLink("link".utf8, target: Array("file".utf8))
    for name in ["fifo", "folder", "link"] {
      #expect(error { _ = try scratch.folder.openFile(name.utf8, toWriteAfter: 0) }?.operation == .open)
    }
  }

  @Test func `returns the kind, size and target of an item, and nil for a missing one`() throws {
    try scratch.makeFile("file", pattern(1000))
    try scratch.folder.makeFolder("folder".utf8)
    let target: [UInt8] = [0xFF] + Array(repeating: 0x61, count: 1000)
    try scratch.folder.makeLink("link".utf8, target: target)
    let file = try #require(try scratch.folder.status(of: "file".utf8))
    #expect(file.kind == .file)
    #expect(file.size == 1000)
    #expect(file.identity == (try scratch.folder.openFile("file".utf8).identity))
    #expect(try scratch.folder.status(of: "folder".utf8)?.kind == .folder)
    #expect(try scratch.folder.status(of: "link".utf8)?.kind == .link)
    #expect(try scratch.folder.readLink("link".utf8) == target)
    #expect(try scratch.folder.status(of: "missing".utf8) == nil)
    #expect(try FileSystem.status(of: "\(scratch.path)/link", followingLinks: false)?.kind == .link)
    #expect(try FileSystem.status(of: "\(scratch.path)/missing", followingLinks: true) == nil)
    #expect(error { try scratch.folder.makeLink("nul".utf8, target: [0]) }?.errno == .invalidArgument)
  }

  @Test func `renames without replacing an item, unless requested`() throws {
    try scratch.makeFile("a", [1])
    try scratch.makeFile("b", [2])
    let other = try scratch.folder.makeFolder("other".utf8)
    let a = "a".utf8
    let b = "b".utf8
    #expect(
      error { try scratch.folder.rename(a, to: b, in: scratch.folder, mode: .noReplace) }?.errno
        == .fileExists)
    try scratch.folder.rename(a, to: b, in: scratch.folder, mode: .exchange)
    #expect(try scratch.contents("a") == [2])
    #expect(try scratch.contents("b") == [1])
    try scratch.folder.rename(a, to: b, in: scratch.folder, mode: .replace)
    #expect(try scratch.contents("b") == [2])
    try scratch.folder.rename(b, to: a, in: other, mode: .noReplace)
    #expect(try other.list() == [Array(a)])
    #expect(
      error { try other.rename(a, to: b, in: other, mode: .exchange) }?.errno == .noSuchFileOrDirectory)
    try scratch.folder.synchronize()
    try scratch.folder.synchronizeFileSystem()
  }

  @Test func `exchanges two folders that are not empty`() throws {
    try scratch.folder.makeFolder("old".utf8).makeFile("x")
    try scratch.folder.makeFolder("new".utf8).makeFile("y")
    try scratch.folder.rename("new".utf8, to: "old".utf8, in: scratch.folder, mode: .exchange)
    #expect(try scratch.folder.openFolder("old".utf8).list() == [Array("y".utf8)])
    #expect(try scratch.folder.openFolder("new".utf8).list() == [Array("x".utf8)])
  }

  @Test func `lists a folder repeatedly, each time from its start`() throws {
    for number in 0..<300 { try scratch.makeFile("f\(number)") }
    #expect(try scratch.folder.list().count == 300)
    #expect(try scratch.folder.list().count == 300)
  }
}

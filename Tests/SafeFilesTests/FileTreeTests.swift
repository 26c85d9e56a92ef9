import CLibrary
import Support
import SystemPackage
import Testing

@testable import SafeFiles

@Suite("A file tree")
struct FileTreeTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func paths(_ items: [FileTree.Item]) -> [String] {
    items.map { String(displaying: $0.relativePath) }
  }

  @Test func `sorts items by the bytes of their paths and follows no link`() throws {
    let a = try scratch.folder.makeFolder("a".utf8)
    try a.makeFile("b", [1, 2, 3])
    try a.makeFolder("c".utf8).makeFile("é")
    try scratch.makeFile("a-b")
    try scratch.makeFile("a0")
    try scratch.makeFile("B")
    try scratch.folder.createFile([0xFF]).close()
    try scratch.folder.makeLink("link".utf8, target: Array("a".utf8))
    try scratch.makeFifo("fifo")
    let items = try FileTree.walk(scratch.path)
    #expect(
      paths(items) == ["B", "a", "a-b", "a/b", "a/c", "a/c/é", "a0", "fifo", "link", "\\xFF"])
    #expect(items[3].status.size == 3)
    #expect(items[7].status.kind == .special(.fifo))
    #expect(items.map(\.linkTarget) == items.map { $0.status.kind == .link ? Array("a".utf8) : nil })
  }

  @Test func `an open file has changed after a write, and not after a change of its name or mode`() throws {
    try scratch.makeFile("f", [1, 2, 3])
    let file = try scratch.folder.openFile("f".utf8)
    try #require(unsafe link("\(scratch.path)/f", "\(scratch.path)/g") == 0)
    try #require(unsafe chmod("\(scratch.path)/f", 0o600) == 0)
    try #require(unsafe unlink("\(scratch.path)/f") == 0)
    #expect(try !file.hasChanged())
    try #require(unsafe truncate("\(scratch.path)/g", 2) == 0)
    #expect(try file.hasChanged())
  }

  @Test func `an open file has changed if its time was reset after a write`() throws {
    try scratch.makeFile("f", [1, 2, 3])
    let file = try scratch.folder.openFile("f".utf8)
    let modified = file.status.modificationTime
    try #require(unsafe truncate("\(scratch.path)/f", 1) == 0)
    try #require(unsafe truncate("\(scratch.path)/f", 3) == 0)
    let time = timespec(tv_sec: time_t(modified.seconds), tv_nsec: Int(modified.nanoseconds))
    let times = [time, time]
    try #require(unsafe utimensat(AT_FDCWD, "\(scratch.path)/f", times, 0) == 0)
    let now = try #require(try scratch.folder.status(of: "f".utf8))
    #expect(now.isSameFile(as: file.status))
    // A change within one tick of the file system's clock cannot be detected.
    #expect(try file.hasChanged() || now.changeTime == file.status.changeTime)
  }

  @Test func `accepts a link as its root`() throws {
    try scratch.folder.makeFolder("real".utf8).makeFile("f")
    try scratch.folder.makeLink("link".utf8, target: Array("real".utf8))
    #expect(try paths(FileTree.walk("\(scratch.path)/link")) == ["f"])
    #expect(error { _ = try FileTree.walk("\(scratch.path)/link/f") }?.errno == .notDirectory)
    #expect(error { _ = try FileTree.walk("\(scratch.path)/none") }?.errno == .noSuchFileOrDirectory)
  }

  @Test func `contains folders that the caller skips, but not their items`() throws {
    try scratch.folder.makeFolder(".git".utf8).makeFile("config")
    try scratch.folder.makeFolder("kept".utf8).makeFile("file")
    let items = try FileTree.walk(scratch.path) { $0.relativePath != Array(".git".utf8) }
    #expect(paths(items) == [".git", "kept", "kept/file"])
  }

  @Test func `stops at the requested number of items`() throws {
    for folder in 0..<4 {
      let folder = try scratch.folder.makeFolder("\(folder)".utf8)
      for file in 0..<5 { try folder.makeFile("\(file)") }
    }
    let tree = try FileTree.open(scratch.path)
    #expect(try tree.items().count == 24)
    for maximum in [1, 4, 7, 24] {
      var visited = 0
      try tree.visit(cancellation: Cancellation()) { _ in
        visited += 1
        return visited == maximum ? .stop : .enter
      }
      #expect(visited == maximum)
    }
  }

  @Test func `walks and reads 2,000 levels`() throws {
    try makeDeepTree(in: scratch.folder, levels: 2000)
    let tree = try FileTree.open(scratch.path)
    let items = try tree.items()
    #expect(items.count == 2001)
    let last = try #require(items.last)
    #expect(last.relativePath.count == 2 * 2000 + 1)
    #expect(try tree.openFile(last.relativePath).bytes(at: 0, count: 10) == [7])
  }

  @Test func `opens its files in any order`() throws {
    let a = try scratch.folder.makeFolder("a".utf8)
    try a.makeFile("1", [1])
    let b = try a.makeFolder("b".utf8)
    try b.makeFile("2", [2])
    try a.makeFolder("bc".utf8).makeFile("3", [3])
    try scratch.makeFile("4", [4])
    let tree = try FileTree.open(scratch.path)
    for (path, byte) in [("a/1", 1), ("a/b/2", 2), ("a/bc/3", 3), ("4", 4), ("a/b/2", 2), ("a/1", 1)] {
      #expect(try tree.openFile(Array(path.utf8)).bytes(at: 0, count: 2) == [UInt8(byte)])
    }
    for path in ["", "a/", "/a/1", "a//1", "a/../4", "./4", "a/b/../1"] {
      #expect(error { _ = try tree.openFile(Array(path.utf8)) }?.errno == .invalidArgument, "\(path)")
    }
    #expect(error { _ = try tree.openFile(Array("a/b".utf8)) }?.errno == .isDirectory)
    #expect(error { _ = try tree.openFile(Array("a/none/1".utf8)) }?.errno == .noSuchFileOrDirectory)
    #expect(try tree.openFile(Array("a/1".utf8)).path == "\(scratch.path)/a/1")
  }

  @Test func `opens nothing through a link, as a folder or as a file`() throws {
    try scratch.folder.makeFolder("real".utf8).makeFile("f")
    try scratch.folder.makeLink("folder".utf8, target: Array("real".utf8))
    try scratch.folder.makeLink("file".utf8, target: Array("real/f".utf8))
    let tree = try FileTree.open(scratch.path)
    let onTheWay = error { _ = try tree.openFile(Array("folder/f".utf8)) }
    #expect(onTheWay?.errno == .notDirectory)
    #expect(onTheWay?.detail == "a part of the path is a symbolic link, or a file instead of a folder")
    #expect(error { _ = try tree.openFile(Array("file".utf8)) }?.errno == .tooManySymbolicLinkLevels)
  }

  @Test(.disabled(if: isRoot, "root reads everything"))
  func `names the folder that cannot be read`() throws {
    let a = try scratch.folder.makeFolder("a".utf8)
    let locked = try a.makeFolder("locked".utf8, permissions: 0)
    let error = error { _ = try FileTree.walk(scratch.path) }
    try POSIX.setPermissions(0o700, of: locked.descriptor.number)
    #expect(error == FileError(.list, "\(scratch.path)/a/locked", .permissionDenied))
  }

  @Test func `can be shared between threads`() throws {
    for folder in 0..<8 {
      let made = try scratch.folder.makeFolder("d\(folder)".utf8)
      for file in 0..<8 { try made.makeFile("f\(file)", [UInt8(folder * 8 + file)]) }
    }
    let tree = try FileTree.open(scratch.path)
    let files = try tree.items().filter { $0.status.kind == .file }
    let firstBytes = Monitor<[UInt8]>([])
    WorkerPool.run(count: 4) { worker in
      for (index, file) in files.enumerated() where index % 4 == worker {
        let byte = (try? tree.openFile(file.relativePath).bytes(at: 0, count: 1).first) ?? 255
        firstBytes.update { $0.append(byte) }
      }
    }
    #expect(firstBytes.update { $0.sorted() } == Array(0..<64))
  }
}

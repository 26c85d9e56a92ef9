import Support
import SystemPackage
import Testing

@testable import SafeFiles

@Suite("Removing")
struct RemovalTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func `removing a tree keeps the targets of its links`() throws {
    let outside = try scratch.folder.makeFolder("outside".utf8)
    try outside.makeFile("precious", [1])
    let tree = try scratch.folder.makeFolder("tree".utf8)
    try tree.makeLink("folder".utf8, target: Array("../outside".utf8))
    try tree.makeLink("file".utf8, target: Array("../outside/precious".utf8))
    try tree.makeLink("self".utf8, target: Array(".".utf8))
    try tree.makeFolder("sub".utf8).makeLink("up".utf8, target: Array("../..".utf8))
    try scratch.folder.removeTree("tree".utf8)
    #expect(try scratch.names() == ["outside"])
    #expect(try outside.list() == [Array("precious".utf8)])
  }

  @Test func `removing a large tree ends at the cleanup time, and removing a small one does not`() throws {
    let cancellation = Cancellation(cleanupTime: .zero)
    cancellation.cancel(signal: 2)
    let large = try scratch.folder.makeFolder("large".utf8)
    for number in 0..<1200 { try large.makeFile("\(number)") }
    #expect(error { try scratch.folder.removeTree("large".utf8, within: cancellation) }?.errno == .canceled)
    #expect(try large.list().count == 200)
    try scratch.folder.makeFolder("small".utf8).makeFile("file")
    try scratch.folder.removeTree("small".utf8, within: cancellation)
    #expect(try scratch.names() == ["large"])
  }

  @Test func `an incomplete folder is removed, or reported if there is no time`() throws {
    let cancellation = Cancellation(cleanupTime: .zero)
    for count in [3, 1200] {
      let staged = try StagedFolder.create(at: "\(scratch.path)/new", cancellation: cancellation)
      for number in 0..<count { try staged.handle.makeFile("\(number)") }
      cancellation.cancel(signal: 2)
    }
    let left = try scratch.names()
    #expect(left.count == 1)
    #expect(cancellation.leftovers == left.map { "\(scratch.path)/\($0)" })
    let next = Cancellation()
    try StagedFolder.create(at: "\(scratch.path)/new", cancellation: next).commit()
    #expect(try scratch.names() == ["new"])
    #expect(next.leftovers == [])
  }

  @Test func `removing a link to a folder keeps the folder`() throws {
    try scratch.folder.makeFolder("outside".utf8).makeFile("precious")
    try scratch.folder.makeLink("link".utf8, target: Array("outside".utf8))
    try scratch.folder.removeTree("link".utf8)
    #expect(try scratch.names() == ["outside"])
    #expect(try scratch.folder.openFolder("outside".utf8).list().count == 1)
  }

  @Test func `removing a tree of 2,000 levels needs only a few descriptors`() throws {
    try makeDeepTree(in: scratch.folder, levels: 2000)
    try scratch.folder.removeTree("d".utf8)
    #expect(try scratch.names() == [])
  }

  @Test func `removing a tree includes folders without permissions`() throws {
    let tree = try scratch.folder.makeFolder("tree".utf8)
    for permissions: UInt16 in [0, 0o400, 0o500, 0o100, 0o200, 0o300] {
      let name = "mode\(permissions)"
      let locked = try tree.makeFolder(name.utf8)
      try locked.makeFile("file")
      try locked.makeFolder("empty".utf8, permissions: 0)
      try POSIX.setPermissions(permissions, of: locked.descriptor.number)
    }
    try scratch.folder.removeTree("tree".utf8)
    #expect(try scratch.names() == [])
  }

  @Test func `removing a missing item, or a folder in place of a file, fails`() throws {
    try scratch.folder.makeFolder("folder".utf8).makeFile("file")
    #expect(error { try scratch.folder.removeTree("missing".utf8) }?.errno == .noSuchFileOrDirectory)
    #expect(error { try scratch.folder.remove("missing".utf8) }?.errno == .noSuchFileOrDirectory)
    #expect(error { try scratch.folder.remove("folder".utf8) }?.errno == .isDirectory)
    #expect(error { try scratch.folder.removeFolder("folder".utf8) }?.errno == .directoryNotEmpty)
    #expect(try scratch.names() == ["folder"])
  }

  @Test func `removing includes files, fifos and wide trees`() throws {
    let tree = try scratch.folder.makeFolder("tree".utf8)
    for number in 0..<20 {
      let sub = try tree.makeFolder("sub\(number)".utf8)
      for file in 0..<20 { try sub.makeFile("file\(file)") }
      try sub.makeFolder("empty".utf8)
    }
    try scratch.makeFifo("tree/fifo")
    try scratch.folder.removeTree("tree".utf8)
    try scratch.makeFile("file")
    try scratch.folder.removeTree("file".utf8)
    #expect(try scratch.names() == [])
  }
}

/// Creates nested folders `d`, with a file `f` in the innermost.
func makeDeepTree(in folder: borrowing DirectoryHandle, levels: Int) throws {
  var current = try folder.makeFolder("d".utf8)
  for _ in 1..<levels { current = try current.makeFolder("d".utf8) }
  try current.makeFile("f", [7])
}

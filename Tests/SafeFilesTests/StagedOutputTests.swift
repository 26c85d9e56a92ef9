import Support
import SystemPackage
import Testing

@testable import SafeFiles

@Suite("A staged output")
struct StagedOutputTests {
  let scratch: Scratch
  let destination: String

  init() throws {
    scratch = try Scratch()
    destination = "\(scratch.path)/out"
  }

  private func replace(_ path: String, with text: String) throws {
    var output = try StagedOutput.create(at: path, replacing: true)
    try output.write(text)
    try output.commit()
  }

  @Test(arguments: [true, false], [true, false])
  func `appears only when it is committed`(replacing: Bool, durable: Bool) throws {
    var output = try StagedOutput.create(at: destination, replacing: replacing, durable: durable)
    try output.write("hello")
    #expect(output.byteCount == 5)
    let during = try scratch.names()
    #expect(during.count == 1)
    #expect(during.allSatisfy { $0.hasPrefix(".out.iapkg-") })
    try output.commit()
    #expect(try scratch.names() == ["out"])
    #expect(try scratch.contents("out") == Array("hello".utf8))
  }

  @Test func `leaves nothing behind if it is not committed`() throws {
    struct Interruption: Error {}
    #expect(throws: Interruption.self) {
      var output = try StagedOutput.create(at: destination, replacing: false)
      try output.write("hello")
      throw Interruption()
    }
    #expect(try scratch.names() == [])
  }

  @Test func `removes the leftovers of a killed process, and no file in use`() throws {
    let left = ".out.iapkg-0123456789abcdef"
    // The temporary name of another output, a longer name, and a name without a number.
    let others = [".outer.iapkg-0123456789abcdef", "\(left)0", ".out.iapkg-"]
    for name in others + [left] { try scratch.makeFile(name, [1]) }
    var output = try StagedOutput.create(at: destination, replacing: true)
    #expect(try !scratch.names().contains(left))
    try output.write("first")
    var other = try StagedOutput.create(at: destination, replacing: true)
    try other.write("second")
    try output.commit()
    #expect(try scratch.contents("out") == Array("first".utf8))
    try other.commit()
    #expect(try scratch.contents("out") == Array("second".utf8))
    #expect(try Set(scratch.names()) == Set(others + ["out"]))
  }

  @Test func `refuses the path of an existing item, even of a dangling link`() throws {
    try scratch.makeFile("out", [1])
    try scratch.folder.makeLink("dangling".utf8, target: Array("none".utf8))
    for name in ["out", "dangling"] {
      let path = "\(scratch.path)/\(name)"
      let error = error { _ = try StagedOutput.create(at: path, replacing: false) }
      #expect(error == FileError(.create, path, .fileExists))
    }
    #expect(try scratch.names() == ["dangling", "out"])
  }

  @Test func `does not replace a file that was created while it was written`() throws {
    var output = try StagedOutput.create(at: destination, replacing: false)
    try output.write("mine")
    try scratch.makeFile("out", [1])
    do {
      try output.commit()
      Issue.record("the commit must fail")
    } catch {
      #expect(error == FileError(.create, destination, .fileExists))
    }
    #expect(try scratch.names() == ["out"])
    #expect(try scratch.contents("out") == [1])
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o755, 0o666] as [UInt16])
  func `keeps the permissions of the file that it replaces`(of old: UInt16) throws {
    try scratch.makeFile("out", [1], permissions: old)
    try replace(destination, with: "new")
    #expect(try scratch.folder.status(of: "out".utf8)?.permissions == old)
    #expect(try scratch.contents("out") == Array("new".utf8))
  }

  @Test func `replaces the file that a link leads to and keeps the link`() throws {
    try scratch.folder.makeFolder("folder".utf8).makeFile("real", [1])
    try scratch.folder.makeLink("out".utf8, target: Array("folder/real".utf8))
    try replace(destination, with: "new")
    #expect(try scratch.folder.status(of: "out".utf8)?.kind == .link)
    #expect(try InputFile.open("\(scratch.path)/folder/real").bytes(at: 0, count: 9) == Array("new".utf8))
    #expect(try scratch.names() == ["folder", "out"])
  }

  @Test func `replaces only regular files`() throws {
    try scratch.folder.makeFolder("folder".utf8)
    try scratch.makeFifo("fifo")
    try scratch.folder.makeLink("null".utf8, target: Array("/dev/null".utf8))
    try scratch.folder.makeLink("dangling".utf8, target: Array("none".utf8))
    try scratch.folder.makeLink("loop".utf8, target: Array("loop".utf8))
    let expected: [(String, Errno)] = [
      ("folder", .isDirectory), ("fifo", .notSupported), ("null", .notSupported),
      ("dangling", .noSuchFileOrDirectory), ("loop", .tooManySymbolicLinkLevels), ("folder/", .isDirectory),
      ("none/out", .noSuchFileOrDirectory), ("none/", .noSuchFileOrDirectory),
      (String(repeating: "n", count: 256), .fileNameTooLong),
    ]
    for (name, errno) in expected {
      let path = "\(scratch.path)/\(name)"
      let error = error { _ = try StagedOutput.create(at: path, replacing: true) }
      #expect(error?.operation == .create, "\(name)")
      #expect(error?.errno == errno, "\(name)")
      #expect(error?.path == path)
    }
    #expect(try scratch.names() == ["dangling", "fifo", "folder", "loop", "null"])
  }

  @Test func `accepts a name of the maximum length`() throws {
    let name = String(repeating: "n", count: 255)
    try replace("\(scratch.path)/\(name)", with: "x")
    #expect(try scratch.names() == [name])
  }

  @Test func `copies ranges of other files`() throws {
    let bytes = pattern(100_000)
    try scratch.makeFile("source", bytes)
    var output = try StagedOutput.create(at: destination, replacing: false)
    try output.write("ab")
    try output.copy(from: scratch.folder.openFile("source".utf8), range: 10..<99_000)
    #expect(output.byteCount == 2 + 98_990)
    try output.commit()
    #expect(try scratch.contents("out") == Array("ab".utf8) + bytes[10..<99_000])
  }

  @Test(.disabled(if: isRoot, "root writes everywhere"))
  func `refuses a folder without write permission`() throws {
    let locked = try scratch.folder.makeFolder("locked".utf8, permissions: 0o500)
    let path = "\(scratch.path)/locked/out"
    #expect(
      error { _ = try StagedOutput.create(at: path, replacing: false) }
        == FileError(.create, path, .permissionDenied))
    #expect(try locked.list() == [])
  }

  /// Writes and opens an original file.
  private func begin(over original: [UInt8]) throws -> InputFile {
    try scratch.makeFile("out", original)
    return try InputFile.open(destination)
  }

  @Test func `replaces the file that it was made from, and no other`() throws {
    let original = try begin(over: [1, 2, 3])
    var output = try StagedOutput.create(at: destination, replacing: true)
    try output.write("new")
    #expect(try output.replaces(original))
    #expect(try scratch.contents("out") == Array("new".utf8))
    var late = try StagedOutput.create(at: destination, replacing: true)
    try late.write("late")
    #expect(try !late.replaces(original))
    #expect(try scratch.contents("out") == Array("new".utf8))
    #expect(try scratch.names() == ["out"])
  }

  @Test func `does not replace a file that was deleted`() throws {
    let original = try begin(over: [1])
    let output = try StagedOutput.create(at: destination, replacing: true)
    try scratch.folder.remove("out".utf8)
    #expect(try !output.replaces(original))
    #expect(try scratch.names() == [])
  }
}

extension StagedOutput {
  /// Commits the output, and returns whether it replaced the file.
  fileprivate consuming func replaces(_ original: InputFile) throws -> Bool {
    if case .replaced = try commit(inPlaceOf: original) { true } else { false }
  }
}

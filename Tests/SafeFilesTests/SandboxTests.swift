import CLibrary
import Support
import Synchronization
import SystemPackage
import Testing

@testable import SafeFiles

/// The denials of the kernel on a confined thread; the other threads of the tests are unconfined.
@Suite(.enabled(if: Platform.landlockVersion >= 2, "there is no Landlock"))
struct SandboxTests {
  /// Runs `body` on a thread that is confined to `access`, and returns its result.
  private func confined<Result: Sendable>(
    to access: ProcessAccess, _ body: @escaping @Sendable () -> Result
  ) throws -> Result {
    let result = Mutex<Result?>(nil)
    let thread = BackgroundThread.start {
      guard Sandbox.confine(to: access) else { return }
      let value = body()
      result.withLock { $0 = value }
    }
    thread?.join()
    let value = result.withLock { $0 }
    return try #require(value)
  }

  /// Returns the error of a call; nil if it succeeds.
  private static func error(_ body: () throws -> Void) -> Errno? {
    do { try body() } catch { return (error as? FileError)?.errno ?? .badAddress }
    return nil
  }

  private static func writing(_ path: String, replacing: Bool = true) -> Errno? {
    error { try StagedOutput.create(at: path, replacing: replacing).commit() }
  }

  private static func reading(_ path: String) -> Errno? { error { _ = try InputFile.open(path) } }

  @Test func `only named files are readable`() throws {
    let scratch = try Scratch()
    try scratch.makeFile("input")
    try scratch.makeFile("secret")
    let (input, secret) = ("\(scratch.path)/input", "\(scratch.path)/secret")
    var access = ProcessAccess()
    access.read(input)
    let errors = try confined(to: access) {
      [Self.reading(input), Self.reading(secret), Self.writing(input), Self.writing(secret)]
    }
    #expect(errors == [nil, .permissionDenied, .permissionDenied, .permissionDenied])
  }

  @Test func `an output can be created and replaced in its own folder only`() throws {
    let scratch = try Scratch()
    try scratch.folder.makeFolder("out".utf8)
    try scratch.folder.makeFolder("other".utf8)
    let root = scratch.path
    var access = ProcessAccess()
    access.make("\(root)/other/../out/file")
    let errors = try confined(to: access) {
      [Self.writing("\(root)/out/file"), Self.writing("\(root)/other/file"), Self.writing("\(root)/file")]
    }
    #expect(errors == [nil, .permissionDenied, .permissionDenied])
  }

  @Test func `a missing folder can be created, and files can be moved within it`() throws {
    let scratch = try Scratch()
    try scratch.folder.makeFolder("parent".utf8)
    let root = scratch.path
    var access = ProcessAccess()
    access.change("\(root)/parent/a/b")
    let errors = try confined(to: access) {
      [
        Self.error {
          let made = MadeFolders()
          try made.make("\(root)/parent/a/b", withParents: true)
          let below = try DirectoryHandle.open("\(root)/parent/a/b")
          try below.makeFile("file", [1])
          try below.rename(
            "file".utf8, to: "moved".utf8, in: DirectoryHandle.open("\(root)/parent/a"), mode: .replace)
        }, Self.error { _ = try FileSystem.makeFolderIfMissing("\(root)/elsewhere") },
      ]
    }
    #expect(errors == [nil, .permissionDenied])
  }

  @Test func `a link that replaces an input gives no access to its target`() throws {
    let scratch = try Scratch()
    try scratch.folder.makeFolder("input".utf8)
    try scratch.folder.makeFolder("secrets".utf8).makeFile("file", [2])
    let root = scratch.path
    var access = ProcessAccess()
    access.change("\(root)/input")
    access.add(removingNamesIn: root)
    let errors = try confined(to: access) {
      [
        Self.error { try DirectoryHandle.open(root).removeFolder("input".utf8) },
        Self.error { try DirectoryHandle.open(root).makeLink("input".utf8, target: Array("secrets".utf8)) },
        Self.reading("\(root)/input/file"),
      ]
    }
    #expect(errors == [nil, nil, .permissionDenied])
  }

  @Test func `another thread is not confined`() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/file"
    #expect(try confined(to: ProcessAccess()) { Self.writing(path) } == .permissionDenied)
    #expect(Self.writing(path) == nil)
  }
}

/// The operations that a ruleset denies under each version of the interface.
struct LandlockOperationsTests {
  @Test(arguments: [
    (1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 3, 0), (5, 16, 3, 0), (6, 16, 3, 3), (99, 16, 3, 3),
  ])
  func `each version denies the operations that it knows`(
    _ version: Int, _ files: Int, _ network: UInt64, _ scopes: UInt64
  ) {
    let operations = LandlockOperations(version: version, connects: false, startsPrograms: false)
    #expect(operations.files.rawValue.nonzeroBitCount == files)
    #expect(operations.network == network)
    #expect(operations.scopes == scopes)
  }

  @Test func `a process that connects may not listen, and one that starts programs reaches abstract sockets`()
  {
    let connecting = LandlockOperations(version: 6, connects: true, startsPrograms: false)
    #expect(connecting.network == 1 && connecting.scopes == 2)
    let starting = LandlockOperations(version: 6, connects: false, startsPrograms: true)
    #expect(starting.network == 3 && starting.scopes == 2)
  }
}

extension ProcessAccess {
  /// Allows exchanging the items of a folder, but not reading them.
  fileprivate mutating func add(removingNamesIn folder: String) {
    add(folder, [.removeFolder, .makeLink, .readFolder])
  }
}

import CLibrary
import Testing

@testable import SafeFiles

/// The umask belongs to the process, so no other test may depend on it.
@Suite("Permissions", .serialized)
struct PermissionTests {
  @Test(arguments: [0o000, 0o022, 0o077] as [mode_t])
  func `permissions are exact if they are given, and otherwise follow the umask`(mask: mode_t) throws {
    let scratch = try Scratch()
    let before = umask(mask)
    defer { umask(before) }
    try scratch.folder.createFile("f".utf8).close()
    try scratch.folder.createFile("x".utf8, permissions: 0o755).close()
    try scratch.folder.createFile("none".utf8, permissions: 0).close()
    #expect(try scratch.folder.status(of: "f".utf8)?.permissions == UInt16(0o666 & ~mask))
    #expect(try scratch.folder.status(of: "x".utf8)?.permissions == 0o755)
    #expect(try scratch.folder.status(of: "none".utf8)?.permissions == 0)
    try scratch.folder.makeFolder("d".utf8)
    try scratch.folder.makeFolder("shared".utf8, adding: 0o070)
    try scratch.folder.makeFolder("open".utf8, permissions: 0o755)
    try scratch.folder.makeFolder("p".utf8, permissions: 0o700)
    #expect(try scratch.folder.status(of: "d".utf8)?.permissions == UInt16(0o777 & ~mask))
    #expect(try scratch.folder.status(of: "shared".utf8)?.permissions == UInt16(0o777 & ~mask | 0o070))
    #expect(try scratch.folder.status(of: "open".utf8)?.permissions == 0o755)
    #expect(try scratch.folder.status(of: "p".utf8)?.permissions == 0o700)
    try StagedOutput.create(at: "\(scratch.path)/out", replacing: false, durable: false).commit()
    #expect(try scratch.folder.status(of: "out".utf8)?.permissions == UInt16(0o666 & ~mask))
  }
}

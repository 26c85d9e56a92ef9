import Foundation
import Testing

@testable import IAPKGServer

@Suite("The file of token keys") struct TokenKeyFileTests {
  @Test("is made once and whole, however many servers miss it at the same moment")
  func madeOnce() async throws {
    let folder = try ServerWorkspace()
    let path = "\(folder.path)/keys"
    let names = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<64 { group.addTask { try TokenKeyFile.open(path).keys.map(\.name) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("is refused if others may read it")
  func readable() throws {
    let folder = try ServerWorkspace()
    let path = "\(folder.path)/keys"
    _ = try TokenKeyFile.open(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(throws: CommandFailure.self) { try TokenKeyFile.open(path) }
  }

  @Test(
    "may belong to root and a group of the server, as a mounted secret does",
    arguments: [
      (0o400, 0, 65532, true), (0o440, 0, 65532, true), (0o444, 0, 65532, false), (0o460, 0, 65532, false),
      (0o600, 65532, 65532, true), (0o640, 65532, 65532, false), (0o640, 0, 0, false),
    ] as [(UInt16, UInt32, UInt32, Bool)])
  func mounted(permissions: UInt16, owner: UInt32, user: UInt32, isPrivate: Bool) {
    #expect(SecretFile.isPrivate(permissions: permissions, owner: owner, user: user) == isPrivate)
  }
}

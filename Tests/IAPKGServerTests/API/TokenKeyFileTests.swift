import Entitlements
import Foundation
import Testing

@testable import IAPKGServer

@Suite("The file of token keys") struct TokenKeyFileTests {
  @Test func `concurrent servers create the file of token keys once`() async throws {
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

  @Test func `a file of token keys that others may read is refused`() throws {
    let folder = try ServerWorkspace()
    let path = "\(folder.path)/keys"
    _ = try TokenKeyFile.open(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(throws: CommandFailure.self) { try TokenKeyFile.open(path) }
  }

  @Test func `a file of token keys may begin with a byte order mark`() throws {
    let folder = try ServerWorkspace()
    let path = "\(folder.path)/keys"
    let key = Data(repeating: 7, count: 32).base64EncodedString()
    for (text, names) in [
      ("\u{FEFF}a hmac-sha256 \(key)\n", ["a"]), ("\u{FEFF}# old\na hmac-sha256 \(key)\n", ["a"]),
      ("a hmac-sha256 \(key)\n\u{FEFF}b hmac-sha256 \(key)\n", nil), ("ä hmac-sha256 \(key)\n", nil),
    ] as [(String, [String]?)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect((try? TokenKeyFile.open(path).keys.map(\.name)) == names)
    }
  }

  @Test(arguments: [(301, false), (300, true), (-86_400, false)])
  func `a token from more than five minutes in the future is not valid`(offset: Int64, isValid: Bool)
    async throws
  {
    let folder = try ServerWorkspace()
    let keys = try await TokenKeys(try TokenKeyFile.open("\(folder.path)/keys"), audience: "app")
    let now = TestServer.now
    let (token, _) = try await keys.token(for: "me", in: .production, now: now + offset)
    #expect((await keys.check(token, now: now) != nil) == isValid)
    // Tokens that were verified once are not verified again.
    #expect(await keys.check(token, now: now + offset) != nil)
    #expect((await keys.check(token, now: now) != nil) == isValid)
  }

  @Test(
    arguments: [
      (0o400, 0, 65532, true), (0o440, 0, 65532, true), (0o444, 0, 65532, false), (0o460, 0, 65532, false),
      (0o600, 65532, 65532, true), (0o640, 65532, 65532, false), (0o640, 0, 0, false),
    ] as [(UInt16, UInt32, UInt32, Bool)])
  func `a secret file may belong to root and a group of the server, as a mounted secret does`(
    permissions: UInt16, owner: UInt32, user: UInt32, isPrivate: Bool
  ) {
    #expect(SecretFile.isPrivate(permissions: permissions, owner: owner, user: user) == isPrivate)
  }
}

import Foundation
import IAPKGServer
import TestSupport
import Testing

@Suite("The errors of commands for a database") struct DatabaseErrorTests {
  @Test(
    arguments: [
      (["audit"], 78, "cannot open the database none.sqlite: there is no such file"),
      (
        ["migrate", "--to", "copy.sqlite"], 78, "cannot open the database none.sqlite: there is no such file"
      ),
      (["migrate", "--to", "none.sqlite"], 64, "--to is the database itself, expected another one"),
    ] as [([String], Int32, String)])
  func `a failed command writes its error as one JSON document`(
    words: [String], code: Int32, message: String
  ) async throws {
    let workspace = try ServerWorkspace()
    let outcome = try await workspace.run(
      "iapkg-server", words + ["--database", "none.sqlite", "--format", "json"])
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors == "error: \(message)\n", "\(outcome)")
    let error = "{\"code\":\(code),\"message\":\"\(message)\",\"path\":null}"
    let document = "{\"schemaVersion\":1,\"command\":\"\(words[0])\",\"error\":\(error)}\n"
    #expect(outcome.output == document, "\(outcome)")
  }

  @Test(arguments: ["audit", "migrate"])
  func `a full disk ends a command with 74`(command: String) async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    // A write beyond the limit fails as on a full disk. The -shm file needs 32 KiB.
    let script = """
      import os, resource, sys
      resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
      os.execv(sys.argv[1], sys.argv[1:])
      """
    let program = workspace.program("iapkg-server")
    let outcome = try await workspace.runPython(script, program, command, "--database", "ledger.sqlite")
    #expect(outcome.code == 74, "\(outcome)")
    #expect(
      outcome.errors == "error: cannot write to the database ledger.sqlite: the disk is full\n", "\(outcome)")
  }

  @Test func `a copy on a nearly full disk succeeds only if its file needs no -wal`() async throws {
    let workspace = try ServerWorkspace()
    let unshared = ["unshare", "--mount", "sh", "-c"]
    let attempt = try workspace.start(unshared + ["mount -t tmpfs tmpfs /mnt"], to: "attempt")
    await attempt.wait()
    guard attempt.code == 0 else { return }  // this user may not mount
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/small", withIntermediateDirectories: false)
    let script = """
      mount -t tmpfs -o size="$0" tmpfs small || exit 1
      "$1" migrate --database ledger.sqlite --to small/copy.sqlite || exit $?
      test ! -s small/copy.sqlite-wal || exit 1
      """
    var incomplete = 0
    for size in stride(from: 128, through: 768, by: 32) {
      let words = unshared + [script, "\(size)k", workspace.program("iapkg-server")]
      let outcome = try await workspace.start(words, to: "size-\(size)").outcome()
      #expect(outcome.code != 1, "\(size) KiB: \(outcome)")
      let isIncomplete = outcome.errors.contains("complete only together with small/copy.sqlite-wal")
      #expect(!isIncomplete || outcome.code == 74, "\(size) KiB: \(outcome)")
      if isIncomplete { incomplete += 1 }
    }
    #expect(incomplete > 0)
  }

  @Test func `an audit that finds differences writes one JSON document`() async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO balances VALUES ('me', 'Production', 'coins', 5)")
    let outcome = try await workspace.run(
      "iapkg-server", "audit", "--database", "ledger.sqlite", "--format", "json")
    #expect(outcome.code == 1 && outcome.output.count { $0.isNewline } == 1, "\(outcome)")
    #expect(!outcome.output.contains("\"error\""), "\(outcome)")
  }
}

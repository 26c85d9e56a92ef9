import ArgumentParser
import IAPKGServer
import TestSupport
import Testing

@Suite("The server's program") struct ServerProgramTests {
  @Test func `the program is called iapkg-server`() {
    #expect(ServerProgram.configuration.commandName == "iapkg-server")
  }

  @Test func `errors about arguments have the form of other errors, without control characters`() async throws
  {
    let workspace = try ServerWorkspace()
    let unknown = try await workspace.run("iapkg-server", "run", "--nonsense\u{1B}[2J")
    #expect(unknown.code == 64)
    #expect(unknown.errors.hasPrefix("error: Unknown option '--nonsense\\u{001B}[2J'\n"), "\(unknown)")
    #expect(unknown.output.isEmpty)
    let help = try await workspace.run("iapkg-server", "run", "--help")
    #expect(help.code == 0)
    #expect(help.output.contains("--bundle-id"))
  }

  /// The prefix that starts a program without `/proc`.
  private static let withoutProc = [
    "unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$0\" \"$@\"",
  ]

  @Test(
    arguments: [
      (["--nonsense"], 64, "Unknown option"), (["--version"], 0, ""),
      (["audit", "--database", "none.sqlite"], 69, "mount /proc"),
      (["health", "--listen", "127.0.0.1:1"], 69, "mount /proc"),
      (["run", "--store", "none", "--bundle-id", "b"], 69, "mount /proc"),
    ] as [([String], Int32, String)])
  func `a missing /proc is reported, because threads crash without it`(
    arguments: [String], code: Int32, message: String
  ) async throws {
    let workspace = try ServerWorkspace()
    let attempt = try workspace.start(Self.withoutProc + ["true"], to: "attempt")
    await attempt.wait()
    guard attempt.code == 0 else { return }  // this user may not unmount /proc
    let process = try workspace.start(
      Self.withoutProc + [workspace.program("iapkg-server")] + arguments, to: "process")
    await process.wait()
    #expect(process.code == code && process.errors.contains(message), "\(process.errors)")
  }
}

import ArgumentParser
import IAPKGServer
import Testing

@Suite("The server's program") struct ServerProgramTests {
  @Test("is called iapkg-server")
  func name() {
    #expect(ServerProgram.configuration.commandName == "iapkg-server")
  }

  @Test("says in the form of all its errors what is wrong with arguments, and no terminal obeys them")
  func usage() async throws {
    let workspace = try ServerWorkspace()
    let unknown = try await workspace.run("iapkg-server", "run", "--nonsense\u{1B}[2J")
    #expect(unknown.code == 64)
    #expect(unknown.errors.hasPrefix("error: Unknown option '--nonsense\\u{001B}[2J'\n"), "\(unknown)")
    #expect(unknown.output.isEmpty)
    let help = try await workspace.run("iapkg-server", "run", "--help")
    #expect(help.code == 0)
    #expect(help.output.contains("--bundle-id"))
  }
}

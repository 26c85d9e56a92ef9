import ArgumentParser
import IAPKGServer
import Testing

@Suite("The server's program") struct ServerProgramTests {
  @Test("is called iapkg-server")
  func name() {
    #expect(ServerProgram.configuration.commandName == "iapkg-server")
  }
}

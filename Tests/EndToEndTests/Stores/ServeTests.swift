import TestSupport
import Testing

/// `iapkg serve`, which replaces its process with another program. It therefore runs as a process.
@Suite(.waiting) struct ServeTests {
  @Test func `the server beside the program gets all words and the signals of a new process`() throws {
    let work = try Workspace()
    try work.write("#!/bin/sh\necho \"$0 $*\"\nkill -TERM $$\n", to: "bin/iapkg-server", permissions: 0o755)
    #expect(try work.run(["cp", BuiltProgram.path, "bin/iapkg"]).code == 0)
    let outcome = try work.run(["bin/iapkg", "serve", "my store", "--drop", "5%", "--help"])
    #expect(outcome.output == "bin/iapkg-server serve my store --drop 5% --help\n")
    #expect(outcome.code == -15, "it was not ended by SIGTERM: \(outcome)")
  }

  @Test func `the server on PATH is started where there is none beside the program`() throws {
    let work = try Workspace()
    try work.write("#!/bin/sh\necho \"$*\"\nexit 7\n", to: "elsewhere/iapkg-server", permissions: 0o755)
    let path = ["PATH": "\(work.path)/elsewhere:/usr/bin:/bin"]
    let outcome = try work.run(["cp", BuiltProgram.path, "iapkg"])
    #expect(outcome.code == 0)
    let served = try work.run(["./iapkg", "serve", "store"], environment: path)
    #expect(served.output == "serve store\n" && served.code == 7, "\(served)")
  }

  @Test func `without a server the command says where to get one`() throws {
    let work = try Workspace()
    #expect(try work.run(["cp", BuiltProgram.path, "iapkg"]).code == 0)
    let outcome = try work.run(["./iapkg", "serve", "store"], environment: ["PATH": "/nowhere"])
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("there is no iapkg-server beside iapkg or on PATH"))
  }

  @Test func `without a server the report of the error is JSON if that is the format`() throws {
    let work = try Workspace()
    #expect(try work.run(["cp", BuiltProgram.path, "iapkg"]).code == 0)
    for format in [["--format", "json"], ["--format=json"]] {
      let outcome = try work.run(
        ["./iapkg", "serve", "store"] + format, environment: ["PATH": "/nowhere"])
      let document = try outcome.exits(66, saying: "there is no iapkg-server").document()
      #expect(document["command"] == "serve")
      #expect(document["error"]?["code"] == 66)
    }
  }

  @Test func `without a folder it is wrong usage`() throws {
    let outcome = try Workspace().iapkg("serve").exits(64)
    #expect(outcome.errors.contains("give the folder of a store"))
  }
}

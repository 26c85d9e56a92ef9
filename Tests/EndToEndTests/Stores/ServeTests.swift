import TestSupport
import Testing

/// `iapkg serve`, which replaces its process with `iapkg-server`, so the tests run it as a process.
@Suite(.waiting) struct ServeTests {
  @Test func `the server beside iapkg gets all arguments, and default signal handling`() throws {
    let work = try Workspace()
    try work.write("#!/bin/sh\necho \"$0 $*\"\nkill -TERM $$\n", to: "bin/iapkg-server", permissions: 0o755)
    #expect(try work.run(["cp", BuiltProgram.path, "bin/iapkg"]).code == 0)
    let outcome = try work.run(["bin/iapkg", "serve", "my store", "--drop", "5%", "--help"])
    #expect(outcome.output == "bin/iapkg-server serve my store --drop 5% --help\n")
    #expect(outcome.code == -15, "SIGTERM did not end it: \(outcome)")
  }

  @Test func `the server on PATH is started if none is beside iapkg`() throws {
    let work = try Workspace()
    try work.write("#!/bin/sh\necho \"$*\"\nexit 7\n", to: "elsewhere/iapkg-server", permissions: 0o755)
    try work.write("", to: "file")
    try work.write("#!/bin/sh\n", to: "disabled/iapkg-server", permissions: 0o644)
    let folders = ["file", "disabled", "elsewhere"].map { "\(work.path)/\($0)" }
    let path = ["PATH": "\(folders.joined(separator: ":")):/usr/bin:/bin"]
    #expect(try work.run(["cp", BuiltProgram.path, "iapkg"]).code == 0)
    let served = try work.run(["./iapkg", "serve", "store"], environment: path)
    #expect(served.output == "serve store\n" && served.code == 7, "\(served)")
  }

  @Test func `without a server, the error says where iapkg looked for one`() throws {
    let work = try Workspace()
    #expect(try work.run(["cp", BuiltProgram.path, "iapkg"]).code == 0)
    let outcome = try work.run(["./iapkg", "serve", "store"], environment: ["PATH": "/nowhere"])
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("there is no iapkg-server beside iapkg or on PATH"))
  }

  @Test func `without a server, --format json reports the error as JSON`() throws {
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

  @Test func `serve without a folder is a usage error`() throws {
    let outcome = try Workspace().iapkg("serve").exits(64)
    #expect(outcome.errors.contains("give the folder of a store"))
  }
}

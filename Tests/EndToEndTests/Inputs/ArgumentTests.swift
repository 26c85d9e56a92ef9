import TestSupport
import Testing

/// The parsing of arguments, also without `/proc`.
@Suite(.waiting) struct ArgumentTests {
  @Test func `without arguments the program prints help and exits with 64`() throws {
    try Workspace().iapkg([]).fails(64, saying: "USAGE: iapkg")
  }

  @Test(
    .enabled(if: Machine.canHideProc, "this user cannot unmount /proc in a mount namespace"),
    arguments: [
      (["validate", "bad.pkg"], 1), (["create", "Book", "-o", "bad.pkg"], 73), (["info", "bad.pkg"], 65),
      (["extract", "bad.pkg"], 65), (["bump", "bad.pkg"], 65), (["diff", "bad.pkg", "Book"], 65),
      (["remove", "com.example.book"], 1), (["rollback", "com.example.book"], 1),
      (["init", "Book", "--product-id", "a"], 73), (["explain", "no/rule"], 64), (["--nonsense"], 64),
      ([], 64),
      (["validate", "Book"], 0), (["create", "Book", "-o", "new.pkg"], 0), (["status"], 0),
      (["--version"], 0),
    ] as [([String], Int32)])
  func `every command works without /proc`(_ arguments: [String], _ code: Int32) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeFolder("Documents")
    try work.write("this is no archive, only some text", to: "bad.pkg")
    try work.iapkg(arguments, through: Machine.withoutProc).exits(code)
  }

  @Test(
    arguments: [
      (
        ["create", "Book", "--version", "2.0"],
        "create has no option --version; did you mean --content-version?"
      ),
      (["create", "Book", "--version=2.0"], "did you mean --content-version?"),
      (["init", "New", "--product-id", "a", "--version", "2.0"], "did you mean --content-version?"),
      (["bump", "Book", "--version", "2.0"], "did you mean --to?"),
      (["validate", "Book", "--version"], "validate has no option --version; iapkg --version shows"),
      (["--version", "create", "Book"], "--version takes no arguments"),
    ] as [([String], String)])
  func `no command has the option --version`(
    _ arguments: [String], _ answer: String
  ) throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg(arguments).fails(64, saying: answer)
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: [
    ["bump", "-"], ["create", "-"], ["publish", "-", "--to", "store"], ["release", "-", "--to", "store"],
    ["export", "-", "--background-assets", "out"], ["import", "-"], ["report", "-", "-o", "page.html"],
    ["config", "-"],
    ["diff", "-", "Book"],
  ])
  func `a command that does not read standard input says so`(_ arguments: [String]) throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg(arguments).fails(
      64, saying: "- is standard input, which iapkg \(arguments[0]) does not read")
    #expect(try work.snapshot() == before)
    try work.makeBook("-")
    try work.iapkg("bump", "./-").succeeds()
  }

  @Test(
    arguments: [
      (["catalog", "--from", "ftp://a", "--token-file", "none"], "begins with 'ftp://'"),
      (["catalog", "--from", "none", "--token-file", "none"], "is not the address of a web server"),
      (["fetch", "com.example.book", "--from", "ftp://a", "--trust", "none"], "begins with 'ftp://'"),
      (["outdated", "--from", "ftp://a", "--into", "none"], "begins with 'ftp://'"),
      (["validate", "none.pkg", "--against", "ftp://a", "--token-file", "none"], "begins with 'ftp://'"),
      (["catalog", "copy", "--from", "none", "--to", "ftp://a"], "begins with 'ftp://'"),
      (["publish", "none.pkg", "--to", "http://a", "--notes", "none.md"], "names a web server"),
      (["publish", "none.pkg", "--to", "store", "--new-key", "--notes", "none.md"], "--new-key requires"),
      (["release", "none", "--to", "http://a", "--notes", "none.md"], "names a web server"),
      (["trust", "show", "--to", "ftp://a"], "begins with 'ftp://'"),
    ] as [([String], String)])
  func `a wrong option is reported before a missing path`(_ arguments: [String], _ answer: String) throws {
    let work = try Workspace()
    try work.iapkg(arguments).fails(64, saying: answer)
    #expect(try work.names().isEmpty)
  }

  @Test(arguments: [
    "https:/u:secret@h/store", "http:u:secret@h", "HTTPS:/u:se/cret@h", "https://u:se/cret@h",
  ])
  func `a malformed address is not taken for a folder, and its password is not shown`(_ address: String)
    throws
  {
    let work = try Workspace()
    for arguments in [["catalog", "--from", address], ["update", "--from", address, "--into", "."]] {
      let outcome = try work.iapkg(arguments).exits(64)
      #expect(!outcome.errors.contains("cret"), "\(outcome)")
    }
  }

  @Test(arguments: [
    ["rollback", "a\n::error::x"], ["rollback", "a", "--format", "x\n::error::y"],
    ["rollback", "a", "--format=x\r\n::error::y"], ["validate", "a.pkg", "--no\n::error::x"],
    ["a\n::error::x"],
    ["trust", "sign", "--to", "s", "--sign-with", "k", "--draft", "a\n::error::b"],
    ["fetch", "--channel", "a\n::error::b", "x", "--from", "s"],
    ["publish", "a.pkg", "--to", "s", "--metadata", "\n::error::x"],
  ])
  func `a line break in a wrong value makes no workflow command of GitHub`(_ arguments: [String]) throws {
    let work = try Workspace()
    let outcome = try work.iapkg(arguments).fails(64, saying: "\\u{000A}::error::")
    #expect(!outcome.errors.contains("\n::"), "\(outcome)")
    #expect(outcome.errors.contains("\n  See 'iapkg "), "\(outcome)")
  }

  @Test func `a usage error has the format of the last --format before --`() throws {
    let work = try Workspace()
    func sarif(_ arguments: String...) throws -> Bool {
      try work.iapkg(["validate"] + arguments + ["--bogus"]).exits(64).output.contains("sarif-2.1.0")
    }
    #expect(try sarif("--format", "json", "--format=sarif"))
    #expect(try !sarif("--format=sarif", "--format", "text"))
    #expect(try !work.iapkg("validate", "--bogus", "--", "--format=sarif").exits(64).output.contains("sarif"))
  }

  @Test func `only a missing temporary folder is blamed on TMPDIR`() throws {
    let work = try Workspace()
    try work.iapkg("info", "missing.pkg", environment: ["TMPDIR": "pkg"]).fails(66, saying: "missing.pkg")
  }

  @Test func `hints name only options that help`() throws {
    let work = try Workspace()
    let update = try work.iapkg("update", "--from", "store").fails(
      64, saying: "iapkg fetch PRODUCT --from STORE")
    #expect(!update.errors.contains("--force"))
    try work.makeLink("link", to: "nowhere")
    try work.makeBookPackage()
    for words in [["init", "link", "--product-id", "a"], ["init", "link/x/y", "--product-id", "a"]] {
      for parents in [[], ["--parents"]] {
        let outcome = try work.iapkg(words + parents).fails(73, saying: "a symbolic link that leads nowhere")
        #expect(!outcome.errors.contains("use --parents"), "\(outcome)")
      }
    }
    let extract = try work.iapkg("extract", "Book.pkg", "--into", "link/Documents").fails(
      73, saying: "a symbolic link that leads nowhere")
    #expect(!extract.errors.contains("use --parents"))
    try work.iapkg("init", "none/New", "--product-id", "a").fails(73, saying: "use --parents")
  }

  @Test func `a folder may have the name of an option`() throws {
    let work = try Workspace()
    try work.makeBook("--version")
    try work.iapkg("validate", "--", "--version").succeeds()
    #expect(try !work.iapkg("help", "create").succeeds().output.contains("--version"))
  }

  @Test func `an output file never gets the descriptor of a closed stream`() throws {
    let work = try Workspace()
    try work.makeBook()
    // Large enough that progress is shown while the package is open.
    try work.makeSparseFile("Book/Contents/large", bytes: 300_000_000)
    let command = "\"$0\" create Book -o Book.pkg --progress always <&- 2>&-"
    try work.run(["sh", "-c", command, BuiltProgram.path]).exits(0)
    try work.iapkg("info", "Book.pkg").succeeds()
  }
}

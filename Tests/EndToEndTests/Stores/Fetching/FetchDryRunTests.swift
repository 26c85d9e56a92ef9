import TestSupport
import Testing

/// `--dry-run` of `fetch` and `update`, which decides as the installation does.
@Suite(.waiting) struct FetchDryRunTests {
  private let work: Workspace
  private let product = "com.example.book"
  private var commands: [[String]] { [["fetch", product, "--from", "store"], ["update"]] }

  init() throws {
    work = try Workspace()
    try work.makeBookPackage("1.0.pkg", product: product, version: "1.0")
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.iapkg("fetch", product, "--from", "store").succeeds()
  }

  @Test func `a dry run reports an intact version as up to date`() throws {
    for command in commands {
      let before = try work.snapshot("Documents")
      let planned = try work.iapkg(command + ["--dry-run", "--format=json"]).succeeds().document()
      #expect(planned["products"]?[0]?["outcome"] == "up-to-date")
      let output = try work.iapkg(command + ["--dry-run"]).succeeds().output
      #expect(!output.contains("would install"))
      #expect(try work.snapshot("Documents") == before)
      #expect(try work.iapkg(command).succeeds().output == output)
    }
  }

  @Test func `a damaged version is an error without --force`() throws {
    try work.write("modified by another program", to: "Documents/\(product)/cover.txt")
    let before = try work.snapshot("Documents/\(product)")
    for command in commands {
      for options in [["--dry-run"], []] {
        let refused = try work.iapkg(command + options).fails(
          1, saying: "installed but not intact: 0 missing, 1 modified", "use --force")
        #expect(!refused.errors.contains("--repair"))
      }
      let forced = try work.iapkg(command + ["--dry-run", "--force"]).succeeds().output
      #expect(forced.contains("would install \(product) 1.0 in place of 1.0"))
      #expect(try work.snapshot("Documents/\(product)") == before)
    }
  }
}

import PackageForge
import TestSupport
import Testing

/// `export --pack` replaces no input, even with `--force`.
@Suite(.waiting) struct AssetPackInputTests {
  private let work: Workspace
  private let packer: StandInPacker

  init() throws {
    work = try Workspace()
    packer = try StandInPacker.besideProducts(work)
    try packer.pack().succeeds()
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a staged pack that contains an input is not replaced`(_ options: [String]) throws {
    let folder = "Packs/com-example-book/com.example.book"
    try work.write("exclude: ['*.psd']\n", to: "\(folder)/.iapkg.yml")
    try work.write("layers", to: "\(folder)/Contents/hero.psd")
    try work.makeLink("linked", to: folder)
    let before = try work.snapshot()
    for input in [folder, "linked"] {
      try work.iapkg(
        ["export", input, "--background-assets", "Packs", "--pack", "--force"] + options,
        environment: packer.environment()
      ).fails(73, saying: "Packs/com-example-book contains the input \(input)", "never replaced")
    }
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["Packs/com-example-book.aar", "Packs/com-example-book/tool", "tool"])
  func `the packing program is not replaced`(_ program: String) throws {
    try work.write(try work.bytes("bin/ba-package"), to: program, permissions: 0o755)
    try work.write("a new page", to: "products/book/Contents/new.txt")
    let before = try work.snapshot()
    let pack = ["--background-assets", "Packs", "--pack", "--ba-package", "./\(program)", "--force"]
    let host = ["--download-manifest", "--base-url", HostedPacks.base, "--to", "store"]
    let infoPlist = ["--app-group", "group.a", "--info-plist", program]
    try work.iapkg(["export"] + pack + host + infoPlist).fails(73, saying: "never replaced")
    try work.iapkg(["export", "products", "--asset-packs", program] + pack).fails(
      73, saying: "never replaced")
    if program != "tool" {
      try work.iapkg(["export", "products"] + pack).fails(73, saying: "never replaced")
    }
    if program.hasSuffix(".aar") {
      try work.iapkg(["export"] + pack + ["--repack"]).fails(73, saying: "never replaced")
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `a dry run with packages refuses the same as the run`() throws {
    func export(_ words: String...) throws -> Outcome {
      try work.iapkg(
        [
          "export", "products", "--background-assets", "Packs", "--pack", "--download-manifest", "--base-url",
          HostedPacks.base, "--to", "store",
        ] + words, environment: packer.environment())
    }
    try export("--dry-run").succeeds()
    #expect(!work.exists("store"))
    try export().succeeds()
    try export("--remove", "nope", "--dry-run").exits(66)
    try work.write("{", to: "store/ios/manifest.json")
    try export("--dry-run").exits(76)
  }
}

import TestSupport
import Testing

/// Files that a command writes beside its main result: they replace nothing without `--force`, never an input, and
/// nothing through a link.
@Suite(.waiting) struct SideOutputTests {
  @Test func `the keys of the app replace no file without --force, and no input`() throws {
    let packs = try HostedPacks()
    let work = packs.work
    try packs.write("book", "first")
    try work.write("mine", to: "Info.plist")
    try work.run(["ln", "-s", "Info.plist", "link.plist"]).exits(0)
    let manifest = try work.text("Packs/book/Manifest.json")
    func publish(_ file: String, _ more: String...) throws -> Outcome {
      try work.iapkg(
        [
          "export", "--background-assets", "Packs", "--download-manifest", "--base-url", HostedPacks.base,
          "--to", "store", "--app-group=group.a", "--info-plist", file,
        ] + more)
    }
    try publish("Info.plist").fails(73, saying: "Info.plist exists", "--force")
    try publish("link.plist").fails(73)
    try publish("link.plist", "--force").fails(73, saying: "symbolic link")
    for file in ["Packs/book/Manifest.json", "Packs/book.aar", "Packs/Info.plist"] {
      try publish(file, "--force").fails(73, saying: "read")
    }
    #expect(!work.exists("store") && !work.exists("Packs/Info.plist"))
    #expect(try work.text("Packs/book/Manifest.json") == manifest && work.text("Info.plist") == "mine")
    try publish("Info.plist", "--force").succeeds()
    #expect(try work.text("Info.plist").contains("BAManifestURL"))
    try publish("store/ios/manifest.json", "--force").fails(73)
    try packs.publish("--force").fails(64, saying: "--force requires --pack or --info-plist")
  }

  @Test(.enabled(if: Machine.has("ssh-keygen")))
  func `the text of a draft replaces no file without --force, and none through a link`() throws {
    let bench = try TrustBench()
    let work = bench.work
    try bench.makeStore()
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    let key = try work.bytes("root")
    try work.run(["ln", "-s", "root", "text"]).exits(0)
    try bench.trust("show", "--payload", "root").fails(73, saying: "root exists", "--force")
    try bench.trust("show", "--payload", "text").fails(73)
    try bench.trust("show", "--payload", "text", "--force").fails(73, saying: "symbolic link")
    #expect(try work.bytes("root") == key)
    try work.write("mine", to: "draft")
    try bench.trust("show", "--payload", "draft", "--force").succeeds()
    #expect(try work.text("draft").contains("catalogKeys"))
    try work.write("channel: stable\n", to: ".iapkg.yml")
    try bench.trust("show", "--payload", ".iapkg.yml", "--force").fails(73, saying: "which is never replaced")
    #expect(try work.text(".iapkg.yml") == "channel: stable\n")
    try work.write("store: store\n", to: ".iapkg.yml")
    for document in ["store/catalog.json", "store/trust/1.json"] {
      let original = try work.bytes(document)
      let show = ["trust", "show", "--payload", document, "--force"]
      try work.iapkg(show).fails(73, saying: document)
      #expect(try work.bytes(document) == original)
    }
    try bench.trust("show", "--force").fails(64, saying: "--force requires --payload")
  }
}

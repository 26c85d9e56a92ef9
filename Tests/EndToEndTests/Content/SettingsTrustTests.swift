import Foundation
import PackageForge
import TestSupport
import Testing

/// The selection of settings files, and the messages about them.
@Suite(.waiting) struct SettingsTrustTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook("products/one", product: "com.example.one")
    try work.write("psd", to: "products/one/Contents/cover.psd")
    try work.write("aws_secret_access_key = hunter2hunter2\n*.psd\n", to: "credentials")
  }

  @Test(arguments: [
    "products/one/.iapkgignore", "products/one/.iapkg.yml", "products/.iapkgignore", "products/.iapkg.yml",
  ])
  func `a link in place of a settings file is refused, and its target is not shown`(
    _ path: String
  ) throws {
    for target in [work.place("credentials"), "/nowhere"] {
      try? work.remove(path)
      try work.makeLink(path, to: target)
      for words in [
        ["validate", "products/one"], ["create", "products/one", "--dry-run"], ["config", "products/one"],
        ["bump", "products/one", "--dry-run"], ["info", "products/one"],
        ["export", "products/one", "--background-assets", "out"], ["import", "products/one", "--dry-run"],
      ] {
        let outcome = try work.iapkg(words).exits(78, saying: "symbolic link")
        #expect(!(outcome.output + outcome.errors).contains("hunter2"), "\(outcome)")
      }
    }
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `settings of another user in a parent folder are skipped with a warning`() throws {
    let other = 65_534
    try FileManager.default.setAttributes(
      [.ownerAccountID: other, .groupOwnerAccountID: other], ofItemAtPath: work.place("products/one"))
    func run(_ words: String...) throws -> Outcome {
      try work.iapkg(
        words, through: ["setpriv", "--reuid=\(other)", "--regid=\(other)", "--clear-groups"])
    }
    func give(_ path: String, to user: Int) throws {
      try work.run(["chown", "-h", "\(user)", path]).exits(0)
    }
    for (text, permissions) in [("exclude: [\"*.psd\"]\n", 0o644), ("nonsense: [", 0o644), ("x", 0o600)] {
      try work.write(text, to: "products/.iapkg.yml", permissions: permissions)
      try give("products/.iapkg.yml", to: 1_234)
      let outcome = try run("validate", "products/one").exits(0, saying: "belongs to another user")
      #expect(outcome.output.contains("6 entries"), "\(outcome)")
    }
    try work.remove("products/.iapkg.yml")
    try work.makeLink("products/.iapkgignore", to: "../credentials")
    try give("products/.iapkgignore", to: 1_234)
    try work.makeFolder("products/.git")
    try give("products/.git", to: 1_234)
    try work.write("*.psd\n", to: ".iapkgignore")
    let outcome = try run("validate", "products/one").exits(0)
    #expect(outcome.output.contains("1 file excluded") && !outcome.errors.contains("hunter2"), "\(outcome)")
  }

  @Test(.enabled(if: Machine.isRoot, "needs root"))
  func `every command warns of settings of another user`() throws {
    try work.iapkg("create", "products/one", "-o", "Old.pkg").succeeds()
    for folder in ["products/one", ""] {
      let path = folder.isEmpty ? ".iapkg.yml" : "\(folder)/.iapkg.yml"
      try work.write("store: shop\nexclude: [\"*.psd\"]\n", to: path)
      try work.run(["chown", "1234", path]).exits(0)
    }
    for words in [
      ["config", "products/one"], ["info", "products"], ["diff", "Old.pkg", "products/one"],
      ["bump", "products/one", "--dry-run"], ["export", "products/one", "--background-assets", "packs"],
      ["import", "products/one", "-o", "New.pkg"], ["validate", "products/one"],
      ["create", "products/one", "--dry-run"], ["report", "products/one", "-o", "page.html"],
      ["release", "products", "--to", "store"],
    ] {
      let errors = try work.iapkg(words).exits(0).errors
      let warnings = errors.split(separator: "\n").filter {
        $0.contains("products/one/.iapkg.yml:1:1: the file belongs to another user")
      }
      #expect(warnings.count == 1, "\(words): \(errors)")
      #expect(try work.iapkg(words + ["--quiet"]).errors.contains("another user"))
    }
    for words in [
      ["config", "products/one"], ["create", "products/one", "--dry-run"], ["validate", "products/one"],
      ["release", "products", "--to", "store"],
    ] {
      let document = try work.iapkg(words + ["--format=json"]).exits(0).document()
      let files = document["skippedSettings"] ?? document["packages"]?[0]?["skippedSettings"]
      #expect(files == .array([".iapkg.yml", "products/one/.iapkg.yml"]), "\(words): \(document)")
      guard words[0] != "config" else { continue }
      try work.iapkg(words + ["--strict"]).fails(1, saying: "settings of another user are not read")
    }
    let warning = "warning: .iapkg.yml:1:1: the file belongs to another user, and is not read"
    try work.iapkg("publish", "Old.pkg").exits(64, saying: warning, "there is no store")
    try work.iapkg("import", "Old.pkg", "--folder", "Copy").exits(0, saying: warning)
  }

  @Test func `no message or report contains a secret of a settings file`() throws {
    for text in [
      "store: https://user:hunter2@example.com/shop\n", "store: https://example.com/shop?token=hunter2\n",
      "hunter2: x\n", "hunter2: x\nhunter2: y\n", "channel: hunter2 x\n",
      "compression:\n  \"*.txt\": hunter2\n", "ignore:\n  - hunter2: x\n", "ignore:\n  - rule: hunter2\n",
    ] {
      try work.write(text, to: "products/one/.iapkg.yml")
      for words in [
        ["config", "products/one"], ["config", "products/one", "--format=json"],
        ["validate", "products/one"],
      ] {
        let outcome = try work.iapkg(words).exits(78)
        #expect(!(outcome.output + outcome.errors).contains("hunter2"), "\(outcome)")
      }
    }
  }

  @Test func `messages name the wrong key or pattern`() throws {
    try work.write("exclude:\nstore: s\n", to: "products/.iapkg.yml")
    try work.iapkg("validate", "products/one")
      .exits(78, saying: "exclude is empty; write [] or remove the key")
    try work.write("ContentInfo.plist\n", to: "products/one/.iapkgignore")
    try work.write("exclude: []\n", to: "products/.iapkg.yml")
    try work.iapkg("create", "products/one")
      .exits(78, saying: "products/one/.iapkgignore:1:1", "'ContentInfo.plist' excludes ContentInfo.plist")
  }

  @Test(arguments: ["*", "Contents", "Contents/*", "**/*.txt\n**/*.psd"])
  func `settings that exclude all content are an error`(_ patterns: String) throws {
    try work.write("\(patterns)\n!ContentInfo.plist\n", to: "products/one/.iapkgignore")
    for words in [["create", "products/one", "--dry-run"], ["validate", "products/one"]] {
      try work.iapkg(words).exits(
        78, saying: patterns.count <= 8 ? "excludes Contents" : "no item of products/one remains")
    }
  }

  @Test func `summaries count the excluded files and folders`() throws {
    try work.write("*.psd\n", to: "products/one/.iapkgignore")
    let line = try work.iapkg("validate", "products/one").exits(0).output
    #expect(line.contains("1 file excluded"))
    #expect(try work.iapkg("create", "products/one").exits(0).output.contains("1 file excluded"))
    try work.write("pages\n*.psd\n", to: "products/one/.iapkgignore")
    #expect(
      try work.iapkg("validate", "products/one").exits(0).output.contains("1 file and 1 folder excluded"))
  }

  @Test func `export and import exclude files by the settings, and refuse invalid settings`() throws {
    try work.write("*.psd\n", to: "products/one/.iapkgignore")
    try work.iapkg("export", "products/one", "--background-assets", "packs").exits(0)
    try work.iapkg("import", "products/one", "-o", "One.pkg").exits(0)
    try work.iapkg("import", "products/one", "--folder", "Copy").exits(0)
    let made = try work.snapshot("packs").keys.joined() + work.snapshot("Copy").keys.joined()
    #expect(made.contains("cover.txt") && !made.contains("psd"))
    #expect(try !work.iapkg("info", "--files", "One.pkg").output.contains("psd"))
    // The settings for the new folder.
    try work.write("exclude: [\"*.txt\", \"!one.txt\"]\n", to: "others/.iapkg.yml")
    try work.iapkg("import", "One.pkg", "--folder", "others/new").exits(0)
    #expect(!work.exists("others/new/Contents/cover.txt") && work.exists("others/new/Contents/pages/one.txt"))
    try work.write("nonsense: 1\n", to: "others/.iapkg.yml")
    try work.write("nonsense: 1\n", to: "products/.iapkg.yml")
    try work.iapkg("import", "One.pkg", "--folder", "others/newer").exits(78)
    try work.iapkg("bump", "products/one").exits(78)
    try work.iapkg("export", "products/one", "--background-assets", "more").exits(78)
  }

  @Test func `validate warns of folders that look like content folders and are not read`() throws {
    try work.write("x", to: "products/no-manifest/Contents/a")
    try work.write("x", to: "products/wrong/contentinfo.plist")
    try work.makeLink("products/linked", to: "one")
    try work.makeFolder("products/.iapkg-cache")
    try work.iapkg("validate", "products").exits(
      0, saying: "products/no-manifest is not read: it has Contents and no ContentInfo.plist",
      "products/wrong is not read: it has contentinfo.plist, expected ContentInfo.plist",
      "products/linked is a symbolic link to a content folder")
    #expect(try work.iapkg("validate", "products", "--quiet").exits(0).errors.isEmpty)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `unreadable folders of another user among products are skipped`() throws {
    try work.makeFolder("products/.iapkg-cache")
    try work.makeFolder("products/private")
    try work.setPermissions(0o700, of: "products/.iapkg-cache")
    try work.setPermissions(0o700, of: "products/private")
    // The other user cannot write into the folder for temporary files.
    let temporary = ["TMPDIR": work.place("")]
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    try work.iapkg(["validate", "products"], environment: temporary, through: other)
      .exits(0, saying: "products/private is not read: it belongs to another user")
    try work.setPermissions(0o777, of: "")
    for _ in 1...2 {
      try work.iapkg(["release", "products", "--to", "store"], environment: temporary, through: other).exits(
        0)
    }
  }
}

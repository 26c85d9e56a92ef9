import Foundation
import PackageForge
import TestSupport
import Testing

/// Releasing a folder of products to a store folder.
@Suite(.waiting) struct ReleaseTests {
  private let work: Workspace
  private static let names = ["one", "three", "two"]

  init() throws {
    work = try Workspace()
    for name in Self.names { try work.makeBook("products/\(name)", product: "com.example.\(name)") }
  }

  private func outcomes(_ document: JSON) -> [String] {
    document["published"]?.elements.compactMap { $0["outcome"]?.text } ?? []
  }

  private func release(_ options: String...) throws -> Outcome {
    try work.iapkg(["release", "products", "--to", "store"] + options)
  }

  @Test func `all changed products are published in one catalog, and a second run publishes nothing`()
    throws
  {
    let first = try release("--format=json").succeeds().document()
    #expect(outcomes(first) == ["published", "published", "published"])
    #expect(first["sequence"] == 1)
    #expect(try release().succeeds().output == "3 products: 3 unchanged\nstore: catalog 1\n")
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try work.write("a page", to: "products/two/Contents/pages/two.txt")
    let document = try release("--bump", "--format=json").succeeds().document()
    #expect(outcomes(document) == ["published", "unchanged", "published"])
    #expect(document["sequence"] == 2)
    let published = try #require(document["published"]?[0])
    #expect(published["contentVersion"] == "1.1")
    #expect(published["raisedFrom"] == "1.0")
    #expect(published["previousVersion"] == "1.0")
    #expect(published["changes"]?["changed"] == 1)
    #expect(try work.text("products/one/ContentInfo.plist").contains("<string>1.1</string>"))
    #expect(try work.text("products/three/ContentInfo.plist").contains("<string>1.0</string>"))
    #expect(
      outcomes(try release("--bump", "--format=json").succeeds().document()).allSatisfy { $0 == "unchanged" })
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `an unchanged product keeps its properties, with a warning`() throws {
    try release("--minimum-app-version", "2").succeeds()
    try release("--minimum-app-version", "2").succeeds()
    for options in [
      ["--critical"], ["--rollout", "10%"], ["--metadata", "a=b"], ["--critical", "--dry-run"],
    ] {
      let words = ["release", "products", "--to", "store"] + options
      let outcome = try work.iapkg(words).exits(0)
      for name in Self.names {
        outcome.exits(0, saying: "products/\(name) is already published and keeps its properties")
      }
      #expect(outcome.output.contains("3 unchanged"))
    }
  }

  @Test(arguments: [false, true], ["inside.txt", nil])
  func `a file in place of a folder is one removal and one addition`(_ isReversed: Bool, _ file: String?)
    throws
  {
    func make(folder isFolder: Bool) throws {
      try work.remove("products/one/Contents/cover.txt")
      guard isFolder else { return try work.write("a file", to: "products/one/Contents/cover.txt") }
      try work.makeFolder("products/one/Contents/cover.txt")
      if let file { try work.write("text", to: "products/one/Contents/cover.txt/\(file)") }
    }
    try make(folder: isReversed)
    try work.iapkg("create", "products/one", "-o", "old.pkg").exits(0)
    try release().exits(0)
    try make(folder: !isReversed)
    try work.iapkg("bump", "products/one").exits(0)
    let changes = try release("--dry-run", "--format=json").exits(0).document()["published"]?[0]?["changes"]
    #expect(changes?["added"] == 1 && changes?["removed"] == 1 && changes?["changed"] == 0)
    let diff = try work.iapkg("diff", "old.pkg", "products/one", "--format=json").exits(0).document()
    #expect(diff["added"]?.elements.count == 1 && diff["removed"]?.elements.count == 1)
    #expect(diff["changed"]?.elements.isEmpty == true)
    for words in [["release", "--to", "store", "--dry-run"], ["validate", "--against", "store"]] {
      let text = try work.iapkg([words[0], "products/one"] + words[1...]).exits(0).output
      #expect(text.contains("+ Contents/cover.txt") && text.contains("- Contents/cover.txt"), "\(text)")
      #expect(!text.contains("~ Contents/cover.txt"), "\(text)")
    }
  }

  @Test func `release publishes the same package as create`() throws {
    try release("--bump").succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    let document = try release("--bump", "--format=json").succeeds().document()
    let path = try #require(document["published"]?[0]?["path"]?.text)
    try work.iapkg("create", "products/one", "-o", "One.pkg").succeeds()
    #expect(try work.bytes("store/\(path)") == work.bytes("One.pkg"))
  }

  @Test func `a changed folder whose version is not raised is refused, and the others are released`() throws {
    try release().succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try work.write("another cover", to: "products/two/Contents/cover.txt")
    try work.iapkg("bump", "products/two").succeeds()
    let outcome = try release().exits(1, saying: "[version/not-raised]", "products/one was not released")
    #expect(outcome.output.contains("com.example.two 1.1: published"))
    #expect(outcome.output.contains("3 products: 1 published, 1 unchanged, 1 not raised"))
    let document = try release("--format=json").exits(1).document()
    #expect(outcomes(document) == ["not-raised", "unchanged", "unchanged"])
    #expect(document["published"]?[0]?["error"]?["code"] == 1)
  }

  @Test func `one product that fails does not stop the others`() throws {
    try work.makeBook("products/one", product: "com.example.one", version: "1.0-beta")
    try work.write("#!/bin/sh\n", to: "products/two/Contents/tool", permissions: 0o755)
    let document = try release("--format=json").exits(1).document()
    #expect(outcomes(document) == ["failed", "published", "failed"])
    #expect(document["published"]?[0]?["productIdentifier"] == .null)
    #expect(try work.names(in: "store/releases") == ["com.example.three"])
    try work.iapkg("release", "nowhere", "products/three", "--to", "store").exits(
      66, saying: "cannot open nowhere")
  }

  @Test func `a dry run shows the plan and changes nothing`() throws {
    try release().succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try work.remove("products/.iapkg-cache")
    let before = try work.snapshot()
    let output = try release("--bump", "--dry-run").succeeds().output
    #expect(output.hasPrefix("product          published  new version  changed files  update\n"))
    #expect(output.contains("com.example.one  1.0        1.1          1              "))
    #expect(!output.contains("com.example.three"), "unchanged products have no line of their own")
    #expect(output.hasSuffix("3 products: 1 to be published, 2 unchanged\n"))
    let plan = try release("--bump", "--dry-run", "--format=json").document()
    #expect(outcomes(plan).first == "would-publish")
    #expect(try work.snapshot() == before)
  }

  @Test func `a raised version alone is not a change, but other keys of the manifest are`() throws {
    try release().succeeds()
    try work.iapkg("bump", "products/one").succeeds()
    for options in [[], ["--dry-run"]] {
      let words = ["release", "products", "--to", "store"] + options
      #expect(
        try work.iapkg(words).succeeds().output.hasPrefix(
          "com.example.one 1.0: unchanged, although its version is 1.1 now\n3 products: 3 unchanged\n"))
      let document = try work.iapkg(words + ["--format=json"]).succeeds().document()
      #expect(document["published"]?[0]?["contentVersion"] == "1.0")
      #expect(document["published"]?[0]?["folderVersion"] == "1.1")
      #expect(document["published"]?[1]?["folderVersion"] == nil)
    }
    let manifest = try work.text("products/one/ContentInfo.plist")
    try work.write(
      manifest.replacingOccurrences(of: "<dict>", with: "<dict><key>Folder</key><string>x</string>"),
      to: "products/one/ContentInfo.plist")
    #expect(try release().succeeds().output.contains("com.example.one 1.1: published"))
  }

  @Test func `links, kinds of items and empty folders count as changes`() throws {
    try release().succeeds()
    try work.makeLink("products/one/Contents/link", to: "cover.txt")
    try work.makeFolder("products/two/Contents/empty")
    try work.remove("products/three/Contents/cover.txt")
    try work.makeLink("products/three/Contents/cover.txt", to: "pages/one.txt")
    let document = try release("--bump", "--format=json").succeeds().document()
    let changes = document["published"]?.elements.map { $0["changes"] } ?? []
    #expect(changes.map { $0?["added"] } == [1, 0, 1])
    #expect(changes.map { $0?["changed"] } == [0, 1, 0])
    #expect(outcomes(try release("--format=json").document()).allSatisfy { $0 == "unchanged" })
  }

  @Test func `a withdrawn release is not published again`() throws {
    try release().succeeds()
    try work.iapkg("withdraw", "com.example.one", "1.0", "--reason", "a wrong cover", "--to", "store")
      .succeeds()
    try release("--bump").exits(
      1, saying: "[version/already-published]", "which was withdrawn: a wrong cover")
    for version in ["1.0", "1.1"] {
      try work.iapkg("bump", "products/one", "--to", version, "--force").succeeds()
      try work.iapkg("create", "products/one", "-o", "one-\(version).pkg").succeeds()
    }
    let words = "the content is identical to version 1.0, which was withdrawn: a wrong cover"
    for input in ["products/one", "one-1.1.pkg", "one-1.0.pkg"] {
      let output = try work.iapkg("validate", input, "--against", "store").exits(1).output
      #expect(output.contains("[version/already-published]") && output.contains(words), "\(output)")
      #expect(!output.contains("iapkg bump"))
    }
    try work.iapkg("release", "products/one", "--to", "store").exits(1, saying: words)
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["publish", "one-1.1.pkg", "--to", "store"] + options)
        .exits(1, saying: "[version/already-published]", words)
    }
    #expect(try work.names(in: "store/releases/com.example.one").count == 3)
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    #expect(try release("--bump").succeeds().output.contains("com.example.one 1.1: published"))
  }

  @Test(.enabled(if: Machine.has("ssh-keygen")))
  func `after a failed publication, the next run publishes the raised version`() throws {
    try release().succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]).code == 0)
    // This ssh-keygen signs the probe, and fails to sign the catalog.
    try work.write(
      """
      #!/bin/sh
      case "$*" in *probe@iapkg*) PATH="$OLD_PATH" exec ssh-keygen "$@";; esac
      echo "agent refused operation" >&2
      exit 1
      """, to: "bin/ssh-keygen", permissions: 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let failed = try work.run(
      [BuiltProgram.path, "release", "products", "--to", "store", "--bump", "--sign-with", "key"],
      environment: ["PATH": "\(work.place("bin")):\(path)", "OLD_PATH": path])
    #expect(failed.code == 1)
    #expect(failed.errors.contains("note: products/one was raised to 1.1 and not published"), "\(failed)")
    let document = try release("--bump", "--format=json").succeeds().document()
    #expect(document["published"]?[0]?["contentVersion"] == "1.1")
    #expect(document["published"]?[0]?["raisedFrom"] == .null)
  }

  @Test func `two concurrent releases publish each version once, and both succeed`() throws {
    try release().succeeds()
    for round in 1...5 {
      for name in Self.names { try work.write("cover \(round)", to: "products/\(name)/Contents/cover.txt") }
      let words = [BuiltProgram.path, "release", "products", "--to", "store", "--bump"]
      let both = [try work.start(words), try work.start(words)]
      let outputs = try both.map { try $0.outcome().exits(0).output }
      let counts = outputs.compactMap { $0.firstMatch(of: #/[:,] (\d+) published/#).flatMap { Int($0.1) } }
      #expect(counts.reduce(0, +) == 3, "one of them publishes each: \(outputs)")
      for name in Self.names {
        let manifest = try work.text("products/\(name)/ContentInfo.plist")
        #expect(manifest.contains("<string>1.\(round)</string>"))
      }
    }
    #expect(try release().succeeds().output.contains("3 products: 3 unchanged"))
    try work.iapkg("catalog", "verify", "--deep", "--from", "store").succeeds()
  }

  @Test func `the unfinished manifest of another process is not content`() throws {
    try work.write("<plist/>", to: "products/one/.ContentInfo.plist.iapkg-0123456789abcdef")
    try release().succeeds()
    #expect(try !work.iapkg("info", "--files", "products/one").succeeds().output.contains("iapkg-0123"))
  }

  @Test(.enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
  func `a dry run reads the store of a web server`() throws {
    try release().succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    let server = try TokenServer(work, "store")
    let words = ["release", "products", "--to", server.address, "--bump"]
    let proxy = ["no_proxy": "127.0.0.1"]
    try work.iapkg(words, environment: proxy).fails(64, saying: "can only be read")
    try work.iapkg(words + ["--dry-run"], environment: proxy).fails(77, saying: "--token-file")
    let output = try work.iapkg(words + ["--dry-run"] + server.options, environment: proxy).succeeds().output
    #expect(output.hasSuffix("3 products: 1 to be published, 2 unchanged\n"))
  }

  @Test func `two folders of one product are refused before anything changes`() throws {
    try work.makeBook("products/two", product: "com.example.one")
    try release().fails(
      64, saying: "products/one and products/two both belong to the product com.example.one")
    #expect(!work.exists("store") && !work.exists("products/.iapkg-cache"))
  }

  @Test func `the cache of digests is never packed, and Git ignores it`() throws {
    try release().succeeds()
    #expect(try work.text("products/.iapkg-cache/.gitignore") == "*\n")
    try work.write("x", to: "products/one/.iapkg-cache/x")
    try work.write("x", to: "products/one/Contents/.iapkg-cache/x")
    let listing = try work.iapkg("info", "--files", "products/one").succeeds().output
    #expect(!listing.contains("iapkg-cache"))
    #expect(try release().succeeds().output.contains("3 unchanged"))
  }

  @Test func `each channel is compared with its own releases`() throws {
    try release().succeeds()
    let found =
      "version 1.0 of com.example.one is published already, in the channel 'stable' [version/already-published]"
    try release("--channel", "beta").exits(1, saying: found)
    let comparison = ["--against", "store", "--channel", "beta"]
    #expect(try work.iapkg(["validate", "products"] + comparison).exits(1).output.contains(found))
    try work.iapkg(["report", "products", "-o", "pages/"] + comparison).exits(0)
    #expect(try work.text("pages/com.example.one.html").contains("version/already-published"))
    try work.iapkg("create", "products/one", "-o", "one.pkg").succeeds()
    try work.iapkg("publish", "one.pkg", "--to", "store", "--channel", "beta").exits(
      1, saying: "in the channel 'stable', from which it can be promoted [version/already-published]")
    #expect(try work.iapkg(["validate", "one.pkg"] + comparison).exits(1).output.contains(found))
    #expect(try release("--channel", "beta", "--bump").succeeds().output.contains("3 published"))
    #expect(try release("--channel", "beta").succeeds().output.contains("3 unchanged"))
  }

  @Test func `a lost index stops a changed folder until its version is raised`() throws {
    try release().succeeds()
    let folder = "store/releases/com.example.one"
    for name in try work.names(in: folder) where name.hasSuffix(".json") {
      try work.remove("\(folder)/\(name)")
    }
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try release("--bump").exits(69, saying: "packs to other bytes", "or raise the version")
    try work.iapkg("bump", "products/one").succeeds()
    let document = try release("--format=json").succeeds().document()
    #expect(outcomes(document) == ["published", "unchanged", "unchanged"])
  }

  /// Publishes another cover under 1.1, withdraws it, and restores the cover of 1.0.
  private func restoreFirstCover() throws {
    try release().succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try release("--bump").succeeds()
    try work.iapkg("withdraw", "com.example.one", "1.1", "--reason", "a wrong cover", "--to", "store")
      .succeeds()
    try work.write("a cover", to: "products/one/Contents/cover.txt")
  }

  @Test func `earlier content replaces a withdrawn version under a higher version`() throws {
    try restoreFirstCover()
    try work.iapkg("bump", "products/one", "--to", "1.0", "--force").succeeds()
    try release().exits(1, saying: "[version/not-raised]", "the withdrawn version 1.1, which clients keep")
    try work.iapkg("bump", "products/one", "--to", "1.2").succeeds()
    #expect(try release().succeeds().output.contains("com.example.one 1.2: published"))
    #expect(try release().succeeds().output.contains("3 products: 3 unchanged"))
    try work.iapkg("fetch", "com.example.one", "--from", "store").exits(0)
    #expect(try work.text("Documents/com.example.one/cover.txt") == "a cover")
  }

  @Test(arguments: [("1.0", false), ("1.1", false), ("1.2", true)])
  func `validate and release agree about earlier content below a withdrawn version`(
    _ version: String, _ isValid: Bool
  ) throws {
    try restoreFirstCover()
    try work.iapkg("bump", "products/one", "--to", version, "--force").succeeds()
    let validated = try work.iapkg("validate", "products/one", "--against", "store")
    let planned = try release("--dry-run")
    let message =
      "content is identical to the newest release, below the withdrawn version 1.1, which clients keep, and its "
      + "version \(version) is not above that [version/not-raised]"
    if isValid {
      validated.succeeds()
      planned.succeeds()
    } else {
      #expect(validated.exits(1).output.contains(message), "\(validated)")
      planned.exits(1, saying: message, "or use --bump")
    }
  }

  @Test func `validate and release agree about a product whose releases are all withdrawn`() throws {
    try release().succeeds()
    try work.iapkg("withdraw", "com.example.one", "1.0", "--reason", "a wrong cover", "--to", "store")
      .succeeds()
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    let message =
      "version 1.0 is not above 1.0, which was withdrawn and which clients keep [version/not-raised]"
    #expect(
      try work.iapkg("validate", "products/one", "--against", "store").exits(1).output.contains(message))
    try release("--dry-run").exits(1, saying: message)
    try work.iapkg("bump", "products/one").succeeds()
    try work.iapkg("validate", "products/one", "--against", "store").succeeds()
    try release("--dry-run").succeeds()
  }

  @Test func `release --bump raises earlier content above a withdrawn version`() throws {
    try restoreFirstCover()
    let document = try release("--bump", "--format=json").succeeds().document()
    #expect(outcomes(document) == ["published", "unchanged", "unchanged"])
    #expect(document["published"]?[0]?["contentVersion"] == "1.2")
    #expect(document["published"]?[0]?["previousVersion"] == "1.0")
    #expect(document["published"]?[0]?["changes"]?["changed"] == 0)
    #expect(outcomes(try release("--bump", "--format=json").document()).allSatisfy { $0 == "unchanged" })
  }

  @Test func `a missing empty folder is named`() throws {
    try work.makeFolder("products/one/Contents/empty")
    try work.makeFolder("products/two/Contents/first")
    try work.makeFolder("products/two/Contents/second")
    try release().succeeds()
    for path in ["one/Contents/empty", "two/Contents/first", "two/Contents/second"] {
      try work.remove("products/\(path)")
    }
    try release().exits(
      1, saying: "note: products/one: Contents/empty is missing: an empty folder, which Git does not keep",
      "note: products/two: Contents/first and 1 more are missing: empty folders")
    try work.makeFolder("products/one/Contents/empty")
    #expect(try !release().exits(1).errors.contains("products/one"))
  }

  @Test func `an interrupted release reports the state of the store`() throws {
    try work.makeSparseFile("products/two/Contents/large", bytes: 1_900_000_000)
    let program = try work.start([BuiltProgram.path, "release", "products", "--to", "store", "--bump"])
    try Waiting.until { work.exists("store/releases/com.example.three") }
    program.running.send(SIGINT)
    let errors = try program.outcome().exits(-SIGINT).errors
    #expect(errors.contains("error: interrupted; the store has its previous catalog or the new one"))
  }
}

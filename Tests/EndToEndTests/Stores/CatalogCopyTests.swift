import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing

/// Mirrors of a store.
@Suite(.waiting) struct CatalogCopyTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] { try work.makeBookPackage("\(version).pkg", version: version) }
    try work.makeBookPackage("other.pkg", product: "com.example.other")
    try work.iapkg("publish", "1.0.pkg", "other.pkg", "--to", "store").succeeds()
  }

  private func copy(_ more: String..., from: String = "store", to: String = "mirror") throws -> Outcome {
    try work.iapkg(["catalog", "copy", "--from", from, "--to", to] + more)
  }

  @Test func `a copy has the same catalog and all its objects`() throws {
    let planned = try copy("--dry-run", "--format=json").succeeds().document()
    #expect(planned["outcome"] == "would-copy" && planned["copiedObjects"] == 8)
    #expect(!work.exists("mirror"))
    let document = try copy("--format=json").succeeds().document()
    #expect(document["outcome"] == "copied" && document["copiedObjects"] == 8 && document["sequence"] == 1)
    #expect(try work.snapshot("mirror") == work.snapshot("store"))
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").succeeds()
    #expect(try copy("--format=json").succeeds().document()["outcome"] == "up-to-date")
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    let next = try copy("--format=json").succeeds().document()
    #expect(next["copiedObjects"] == 4, "the package, both parts of its index and the list of releases")
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").succeeds()
  }

  @Test func `a stopped copy continues, and restores missing objects`() throws {
    try copy().succeeds()
    try work.remove("mirror/catalog.json")
    #expect(try copy("--dry-run", "--format=json").succeeds().document()["copiedObjects"] == 0)
    let again = try copy("--format=json").succeeds().document()
    #expect(again["outcome"] == "copied" && again["copiedObjects"] == 0 && again["copiedBytes"] == 0)
    let package = try #require(
      work.names(in: "mirror/releases/com.example.book").first { $0.hasSuffix(".pkg") })
    let inode = try work.inode("mirror/releases/com.example.book/\(package)")
    try work.remove("mirror/catalog.json")
    try work.remove("mirror/releases/com.example.other")
    try copy().succeeds()
    #expect(try work.inode("mirror/releases/com.example.book/\(package)") == inode, "it was complete")
    try work.remove("mirror/products/com.example.book")
    try copy().succeeds()
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").succeeds()
  }

  // MARK: Interrupted copies

  /// Starts a copy whose source holds back the second half of a large package. Ends it once the first half is in the
  /// mirror.
  private func interruptCopy(by signal: Int32) throws -> Outcome {
    try work.makeBook("Large", version: "2.0")
    try work.write(Noise.bytes(600_000), to: "Large/Contents/large.dat")
    try work.iapkg("create", "Large", "-o", "2.0.pkg").exits(0)
    try work.iapkg("publish", "2.0.pkg", "--to", "store").succeeds()
    let server = try ScriptedServer { [work] request, _ in
      let body = (try? work.bytes("store\(request.path)")) ?? []
      var reply = ScriptedServer.answer(200, [], body)
      if body.count > 600_000 {
        reply.bytes.removeLast(300_000)
        reply.isHeld = true
      }
      return reply
    }
    let program = try work.start(
      [BuiltProgram.path, "catalog", "copy", "--from", server.address, "--to", "mirror"],
      environment: ["no_proxy": "127.0.0.1"])
    try Waiting.until {
      try partSize() > 200_000 && work.names(in: mirrored).count { !$0.hasPrefix(".") } >= 5
    }
    program.running.send(signal)
    return try program.outcome()
  }

  private let mirrored = "mirror/releases/com.example.book"

  /// The size of the part of a package in the mirror.
  private func partSize() throws -> Int {
    guard work.exists(mirrored),
      let name = try work.names(in: mirrored).first(where: { $0.hasSuffix("-part") })
    else { return 0 }
    // A complete part can be renamed at any time.
    return (try? work.bytes("\(mirrored)/\(name)"))?.count ?? 0
  }

  @Test(arguments: [true, false])
  func `a killed copy resumes within a package`(_ isIntact: Bool) throws {
    _ = try interruptCopy(by: SIGKILL)
    if !isIntact {
      let name = try #require(work.names(in: mirrored).first { $0.hasSuffix("-part") })
      try work.write(Noise.bytes(250_000), to: "\(mirrored)/\(name)")
    }
    let size = try partSize()
    let server = try ScriptedServer { [work] request, _ in
      let body = (try? work.bytes("store\(request.path)")) ?? []
      guard let range = request.headers["range"], let start = Int(range.dropFirst(6).prefix { $0 != "-" })
      else {
        return ScriptedServer.answer(200, [], body)
      }
      return ScriptedServer.answer(
        206, ["Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"], Array(body[start...]))
    }
    try work.iapkg(
      "catalog", "copy", "--from", server.address, "--to", "mirror", environment: ["no_proxy": "127.0.0.1"]
    ).succeeds()
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").succeeds()
    #expect(try !work.names(in: mirrored).contains { $0.hasPrefix(".") })
    let large = server.received.filter { $0.path.contains("2.0-") && $0.path.hasSuffix(".pkg") }
    #expect(large.first?.headers["range"]?.hasPrefix("bytes=\(size)-") == true)
    #expect(large.count == (isIntact ? 1 : 2))
    #expect(
      !server.received.contains { $0.path.contains("com.example.book/1.0-") && $0.path.hasSuffix(".pkg") },
      "the mirror has it already")
  }

  @Test func `Ctrl-C reports that the next copy continues`() throws {
    let outcome = try interruptCopy(by: SIGINT).exits(-SIGINT)
    #expect(!outcome.errors.contains("nothing was changed"), "\(outcome)")
    // A program without time to clean up says only that it was interrupted.
    #expect(
      outcome.errors == "error: interrupted\n"
        || outcome.errors.contains("the next run continues from what was copied"), "\(outcome)")
    try copy().succeeds()
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").succeeds()
  }

  @Test(arguments: [".pkg", ".json"])
  func `a deep copy replaces a damaged object`(_ kind: String) throws {
    try copy().succeeds()
    #expect(try copy("--deep", "--format=json").succeeds().document()["outcome"] == "up-to-date")
    let name = try #require(work.names(in: mirrored).first { $0.hasSuffix(kind) })
    var bytes = try work.bytes("\(mirrored)/\(name)")
    bytes[50] ^= 1
    try work.write(bytes, to: "\(mirrored)/\(name)")
    #expect(try copy("--format=json").succeeds().document()["outcome"] == "up-to-date")
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror").exits(76)
    #expect(try copy("--deep", "--dry-run", "--format=json").succeeds().document()["copiedObjects"] == 1)
    let document = try copy("--deep", "--format=json").succeeds().document()
    #expect(document["outcome"] == "copied" && document["copiedObjects"] == 1)
    #expect(try work.snapshot("mirror") == work.snapshot("store"))
  }

  private func damage(_ path: String, at offset: Int = 50) throws {
    var bytes = try work.bytes(path)
    bytes[offset] ^= 1
    try work.write(bytes, to: path)
  }

  @Test(.enabled(if: Machine.has("ssh-keygen"))) func `a deep copy replaces a damaged catalog`() throws {
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]).code == 0)
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
    try copy().succeeds()
    let catalog = try work.text("mirror/catalog.json")
    let payload = try #require(catalog.range(of: "\"payload\":\"")).upperBound
    let signature = try #require(catalog.range(of: "BEGIN SSH SIGNATURE-----")).upperBound
    let offsets = [payload, catalog.index(payload, offsetBy: 200), catalog.index(signature, offsetBy: 150)]
      .map { catalog.utf8.distance(from: catalog.startIndex, to: $0) }
    let contents = try offsets.map { offset in
      try damage("mirror/catalog.json", at: offset)
      defer { try? work.write(catalog, to: "mirror/catalog.json") }
      return try work.bytes("mirror/catalog.json")
    }
    for content in contents + [[], Array("{}".utf8), Array("<!DOCTYPE html><html></html>".utf8)] {
      try work.write(content, to: "mirror/catalog.json")
      for options in [[], ["--deep"], ["--trust", "key.pub"]] {
        let words = ["catalog", "copy", "--from", "store", "--to", "mirror"] + options
        try work.iapkg(words).fails(
          76, saying: "catalog.json", "may be an older state", "--deep, and --trust", "--new-key")
      }
      let deep = ["--deep", "--trust", "key.pub", "--format=json"]
      let words = ["catalog", "copy", "--from", "store", "--to", "mirror"] + deep
      let planned = try work.iapkg(words + ["--dry-run"]).succeeds().document()
      #expect(planned["outcome"] == "would-copy")
      #expect(try work.bytes("mirror/catalog.json") == content)
      #expect(try work.iapkg(words).succeeds().document()["outcome"] == "copied")
      #expect(try work.snapshot("mirror") == work.snapshot("store"))
    }
  }

  @Test(.enabled(if: Machine.has("ssh-keygen")), arguments: [false, true])
  func `a damaged signed catalog is replaced only with its key, and by no older catalog`(_ isReadable: Bool)
    throws
  {
    for key in ["key", "other"] {
      #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]).code == 0)
    }
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
    let older = try work.bytes("store/catalog.json")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
    try copy().succeeds()
    let text = try work.text("mirror/catalog.json")
    let damaged = text.replacingOccurrences(of: "BEGIN SSH SIGNATURE", with: "BEGIN SSH NATURE")
    try work.write(isReadable ? damaged : "", to: "mirror/catalog.json")
    let before = try work.snapshot("mirror")

    try work.forgeCatalog { $0.sequence = 9 }
    try copy("--deep").fails(76, saying: "may be an older state", "--new-key")
    try copy("--deep", "--trust", "key.pub").fails(76, saying: "is not signed")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "other").succeeds()
    try copy("--deep").fails(76, saying: "may be an older state", "--new-key")
    try copy("--deep", "--trust", "key.pub").fails(76, saying: "is not trusted")
    try work.write(older, to: "store/catalog.json")
    try copy("--deep").fails(76, saying: "may be an older state", "--new-key")
    if isReadable {
      for options in [["--trust", "key.pub"], ["--new-key"]] {
        try work.iapkg(["catalog", "copy", "--from", "store", "--to", "mirror", "--deep"] + options).fails(
          76, saying: "mirror has catalog 3", "store has catalog 2")
      }
    }
    #expect(try work.snapshot("mirror") == before)
  }

  @Test func `a damaged catalog is not replaced by an older one, and an unknown format never is`() throws {
    try copy().succeeds()
    try work.iapkg("catalog", "renew", "--to", "mirror").succeeds()
    let text = try work.text("mirror/catalog.json").replacingOccurrences(
      of: "\"signature\":null", with: "\"signature\":\"x\"")
    try work.write(text, to: "mirror/catalog.json")
    try copy("--deep", "--new-key").fails(76, saying: "mirror has catalog 2", "store has catalog 1")
    try work.write(
      text.replacingOccurrences(of: "iapkg-catalog-2", with: "iapkg-catalog-9"), to: "mirror/catalog.json")
    try copy("--deep", "--new-key").fails(76, saying: "another version of iapkg wrote it; update iapkg")
  }

  @Test(arguments: [[], ["--deep"]])
  func `a damaged list of releases is replaced`(_ options: [String]) throws {
    try copy().succeeds()
    let name = try #require(work.names(in: "mirror/products/com.example.book").first)
    try damage("mirror/products/com.example.book/\(name)")
    let document = try work.iapkg(
      ["catalog", "copy", "--from", "store", "--to", "mirror", "--format=json"] + options
    ).succeeds().document()
    #expect(document["outcome"] == "copied")
    #expect(try work.snapshot("mirror") == work.snapshot("store"))
  }

  @Test func `a copy takes no older catalog, and no other catalog of the same number`() throws {
    try copy().succeeds()
    try work.iapkg("publish", "1.1.pkg", "--to", "mirror").succeeds()
    let before = try work.snapshot("mirror")
    try copy().fails(76, saying: "mirror has catalog 2", "store has catalog 1", "--at-least 3")
    try work.iapkg("catalog", "renew", "--to", "store").succeeds()
    try copy().fails(76, saying: "both have a catalog 2")
    #expect(try work.snapshot("mirror") == before)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "3").succeeds()
    try copy().fails(76, saying: "com.example.book 1.1", "--replace")
    #expect(try work.snapshot("mirror") == before)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try copy().succeeds()
  }

  @Test func `a withdrawal that a restored source has lost is reported`() throws {
    let backup = try work.bytes("store/catalog.json")
    let withdraw = ["withdraw", "com.example.book", "1.0", "--reason", "bad", "--to", "store"]
    try work.iapkg(withdraw).succeeds()
    try copy().succeeds()
    try work.write(backup, to: "store/catalog.json")
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "9").succeeds()
    let outcome = try copy("--format=json").exits(
      0, saying: "store no longer lists the withdrawal of com.example.book 1.0", "withdraw it again in store")
    let revoked = try outcome.document()["revoked"]?.elements ?? []
    #expect(revoked.map { $0["productIdentifier"] } == ["com.example.book"])
    #expect(revoked.map { $0["contentVersion"] } == ["1.0"])
    try work.iapkg(withdraw).succeeds()
    #expect(try copy("--format=json").succeeds().document()["revoked"]?.elements.isEmpty == true)
    #expect(try work.catalog("mirror") == work.catalog("store"))
  }

  @Test func `damage in the source is not copied`() throws {
    let name = try #require(
      work.names(in: "store/releases/com.example.book").first { $0.hasSuffix(".pkg") })
    var bytes = try work.bytes("store/releases/com.example.book/\(name)")
    bytes[50] ^= 1
    try work.write(bytes, to: "store/releases/com.example.book/\(name)")
    try copy().fails(76, saying: name, "SHA-256")
    #expect(!work.exists("mirror/catalog.json"))
    try copy(to: "http://127.0.0.1:1").fails(64, saying: "can only be read")
    try copy(from: "nowhere").fails(66)
    try work.write("mine", to: "home/letter.txt")
    try copy(to: "home").fails(73, saying: "letter.txt")
  }

  @Test(.enabled(if: Machine.has("ssh-keygen"))) func `a copy keeps the signature and its key`() throws {
    for key in ["key", "other"] {
      #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]).code == 0)
    }
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
    try copy("--trust", "other.pub").fails(76)
    try copy("--trust", "key.pub").succeeds()
    try work.iapkg("catalog", "verify", "--from", "mirror", "--trust", "key.pub").succeeds()
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "other", "--new-key").succeeds()
    try copy().fails(1, saying: "--new-key")
    try copy("--new-key").succeeds()
    try work.iapkg("catalog", "verify", "--from", "mirror", "--trust", "other.pub").succeeds()
  }

  @Test func `a bucket is copied to a folder and back`() throws {
    let bucket = try BucketServer(work)
    try bucket.iapkg("catalog", "copy", "--from", "store", "--to", BucketServer.store).exits(0)
    try bucket.iapkg("catalog", "verify", "--deep", "--from", BucketServer.store).exits(0)
    try bucket.fail(#"{"do": "touch", "key": "catalog.json", "method": "PUT"}"#)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try bucket.iapkg("catalog", "copy", "--from", "store", "--to", BucketServer.store).exits(0)
    try bucket.iapkg("catalog", "copy", "--from", BucketServer.store, "--to", "back").exits(0)
    #expect(try work.catalog("back") == work.catalog())
  }
}

import ContentPackage
import Delivery
import Foundation
import PackageForge
import Support
import TestSupport
import Testing

/// Drafts and catalogs that others put into a store: no key of the publisher signs them unexamined.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustSigningTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  /// Leaves a draft that adds the key of a thief, as anyone who can write to the store may do.
  private func plantDraft() throws {
    try bench.trust("add", "--root-key", "thief.pub", "--catalog-key", "thief.pub").succeeds()
  }

  private func shown(_ keys: String...) throws -> JSON? {
    let document = try bench.trust("show", "--format=json").succeeds().document()
    return keys.reduce(document) { $0?[$1] }
  }

  @Test(arguments: [
    ["add", "--catalog-key", "new.pub"], ["remove", "--catalog-key", "key.pub"],
    ["threshold", "--expires", "30"],
  ])
  func `a change signs no draft that another publisher left`(_ words: [String]) throws {
    try bench.install()
    try plantDraft()
    let before = try work.snapshot("store")
    try work.iapkg(["trust"] + words + ["--to", "store", "--sign-with", "root"]).fails(
      76, saying: "a draft of trust document 2 with other changes", "iapkg trust show", "trust/draft.json")
    #expect(try work.snapshot("store") == before)
    #expect(!work.exists("store/trust/2.json"))
  }

  @Test func `a change without keys continues the draft of another publisher, and marks each change`() throws
  {
    try plantDraft()
    let text = try bench.trust("add", "--catalog-key", "new.pub").succeeds().output
    for key in ["thief", "new"] {
      let line = "  + \(try bench.fingerprint(key)) \(key)\n"
      #expect(text.contains(line))
    }
    try bench.trust("remove", "--root-key", "thief.pub", "--catalog-key", "thief.pub").succeeds()
    let signed = try bench.trust("sign", by: ["root"]).succeeds().output
    #expect(signed.contains("trust document 2 published"))
    let new = try bench.fingerprint("new")
    #expect(signed.contains("  + \(new) new\n"))
    let thief = try bench.fingerprint("thief")
    #expect(!signed.contains(thief))
  }

  @Test func `the publication of a trust document shows the values of the one before`() throws {
    try bench.makeKeys("a")
    try bench.trust("add", by: ["root"], "--root-key", "a.pub", "--catalog-key", "new.pub").succeeds()
    let raised = try bench.trust("threshold", by: ["root", "a"], "--root-threshold", "2", "--expires", "30")
      .succeeds().output
    #expect(raised.contains("2 root keys, of which 2 must sign (1 before)"))
    #expect(raised.contains("  expires 2") && raised.contains("(never before)"))
    try bench.trust("remove", "--catalog-key", "new.pub").succeeds()
    let outcome = try bench.trust("sign", by: ["root", "a"], "--format=json").succeeds().document()
    let removed = try bench.fingerprint("new")
    #expect(outcome["previous"]?["catalogKeys"]?[1]?["fingerprint"]?.text == removed)
    #expect(outcome["trust"]?["version"] == 4 && outcome["previous"]?["version"] == 3)
  }

  @Test func `a draft of another publisher needs the earlier signature of each given root key`() throws {
    try bench.makeKeys("a", "b")
    try bench.trust(
      "add", by: ["root", "a", "b"], "--root-key", "a.pub", "--root-key", "b.pub", "--root-threshold", "2"
    ).succeeds()
    // One stolen root key, below the threshold.
    try bench.trust("add", by: ["b"], "--root-key", "thief.pub", "--root-threshold", "1").succeeds()
    let before = try work.snapshot("store")
    for keys in [["root", "b"], ["root", "a", "key"]] {
      try bench.trust("add", by: keys, "--catalog-key", "new.pub").fails(76, saying: "with other changes")
    }
    #expect(try work.snapshot("store") == before)
    #expect(!work.exists("store/trust/3.json"))
  }

  @Test func `publishers refuse a first trust document that the key of the store did not sign`() throws {
    try bench.makeKeys("single")
    try bench.publish("1.0", by: "single", to: "plain").succeeds()
    try work.write(
      bench.document(1, catalogs: ["single", "thief"], roots: ["thief"], signedBy: ["thief"]),
      to: "plain/trust/1.json")
    let before = try work.snapshot("plain")
    for words in [
      ["publish", "\(bench.product)-1.1.pkg", "--to", "plain", "--sign-with", "single"],
      ["catalog", "renew", "--to", "plain", "--sign-with", "single"], ["trust", "show", "--to", "plain"],
      ["catalog", "copy", "--from", "plain", "--to", "mirror"],
      ["trust", "add", "--root-key", "root.pub", "--to", "plain", "--sign-with", "single"],
    ] {
      try work.iapkg(words).fails(76, saying: "is not signed by the key that signed the catalog")
    }
    try work.iapkg("catalog", "verify", "--from", "plain").exits(76)
    #expect(try work.snapshot("plain") == before)
  }

  @Test func `trust documents that a key has seen cannot be replaced or created again`() throws {
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    let genuine = try work.bytes("store/trust/1.json")
    try work.write(
      bench.document(1, catalogs: ["new", "thief"], roots: ["thief"], signedBy: ["thief"]),
      to: "store/trust/1.json")
    try work.remove("store/trust/2.json")
    try bench.forgeCatalog(by: ["new"]) { $0.trust = 1 }
    try bench.publish("1.3", by: "new").fails(76, saying: "may have replaced them", "ends in .iapkg")
    try work.write(genuine, to: "store/trust/1.json")
    // The root key has signed document 2.
    try bench.forgeCatalog(by: ["key"]) { $0.trust = nil }
    try bench.trust("add", by: ["root"], "--catalog-key", "thief.pub").fails(76, saying: "up to 2")
    #expect(try work.names(in: "store/trust") == ["1.json"])
  }

  @Test func `the key that signed a store before does not sign the catalog of another key`() throws {
    try bench.makeKeys("single")
    try bench.publish("1.0", by: "single", to: "plain").succeeds()
    try bench.forgeCatalog(by: ["thief"], in: "plain") { $0.sequence += 1 }
    try bench.publish("1.1", by: "single", to: "plain").fails(
      76, saying: "someone else may have replaced it", "only if the current catalog is yours")
  }

  @Test func `an expired trust document is a finding of catalog verify`() throws {
    try work.write(
      bench.document(2, expires: Timestamp(seconds: 1_700_000_000), signedBy: ["root"]),
      to: "store/trust/2.json")
    try work.iapkg("catalog", "verify", "--from", "store").exits(1, saying: "trust document 2 expired at")
    let document = try work.iapkg("catalog", "verify", "--from", "store", "--format=json").exits(1).document()
    #expect(document["intact"] == false)
  }

  @Test func `a root key signs no trust document if the catalog is older than one that it has seen`() throws {
    try work.run(["cp", "store/catalog.json", "old.json"]).exits(0)
    try bench.publish("1.2", by: "key").succeeds()
    try bench.trust("threshold", by: ["root"], "--expires", "30").succeeds()
    try work.run(["cp", "old.json", "store/catalog.json"]).exits(0)
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").fails(76, saying: "is behind catalog 3")
    #expect(!work.exists("store/trust/3.json"))
  }

  @Test func `--catalog must name the present catalog, whichever key signs`() throws {
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    try bench.trust("sign", by: ["root"], "--catalog", String(repeating: "0", count: 64)).fails(
      76, saying: "is not the one that was named")
    #expect(!work.exists("store/trust/2.json"))
  }

  @Test func `a first trust document that a root key signed as a draft cannot be replaced`() throws {
    let bench = try TrustBench()
    try bench.makeKeys("key", "root", "thief", "new")
    try bench.publish("1.0", by: "key").succeeds()
    try bench.trust("init", by: ["root"], "--root-key", "root.pub", "--catalog-key", "key.pub").succeeds()
    try bench.trust("sign", by: ["key"]).succeeds()
    try bench.publish("1.1", by: "key").succeeds()
    #expect(bench.work.exists("root.iapkg"))
    let forged = try bench.document(
      1, catalogs: ["key", "thief"], roots: ["root", "thief"], signedBy: ["thief"])
    try bench.work.write(forged, to: "store/trust/1.json")
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").fails(
      76, saying: "has other trust documents")
    #expect(!bench.work.exists("store/trust/2.json"))
  }

  @Test func `a root key that signed a draft remembers the catalog`() throws {
    try bench.makeKeys("a")
    try bench.trust("add", by: ["root", "a"], "--root-key", "a.pub", "--root-threshold", "2").succeeds()
    try work.run(["cp", "store/catalog.json", "old.json"]).exits(0)
    try bench.publish("1.2", by: "key").succeeds()
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try work.run(["cp", "old.json", "store/catalog.json"]).exits(0)
    try bench.trust("sign", by: ["root", "a"]).fails(76, saying: "is behind catalog")
    #expect(!work.exists("store/trust/3.json"))
  }

  @Test(arguments: ["{}", "foreign"])
  func `an unexpected trust document after the next one stops a change`(_ kind: String) throws {
    let planted =
      try kind == "{}"
      ? Array("{}".utf8) : bench.document(3, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"])
    try work.write(planted, to: "store/trust/3.json")
    let before = try work.snapshot("store")
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").fails(
      76, saying: "trust/3.json exists", "delete it")
    #expect(try work.snapshot("store") == before)
    try work.remove("store/trust/3.json")
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
  }

  @Test func `the next trust document resets the sequence numbers that a stolen key signed`() throws {
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.publish("1.2", by: "new").succeeds()
    try work.run(["cp", "store/catalog.json", "good.json"]).exits(0)
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = 9_007_199_254_740_980 }
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "new").succeeds()
    try work.run(["cp", "good.json", "store/catalog.json"]).exits(0)
    try bench.trust("remove", "--catalog-key", "key.pub").succeeds()
    let digest = try #require(try shown("catalogSHA256")?.text)
    try bench.trust("sign", by: ["root", "new"], "--catalog", digest).succeeds()
    #expect(work.exists("store/trust/3.json"))
    let renewed = try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "new").succeeds()
    #expect(!renewed.errors.contains("signed catalog"))
    try work.iapkg("catalog", "prune", "--to", "store", "--sign-with", "new", "--keep", "1", "--dry-run")
      .succeeds()
  }

  @Test func `content is not compared with a catalog that the trust document does not accept`() throws {
    try work.iapkg("init", "Book", "--product-id", bench.product, "-q").succeeds()
    try work.write("text", to: "Book/Contents/a.txt")
    try bench.forgeCatalog(by: ["thief"]) { $0.sequence += 1 }
    try work.iapkg("validate", "Book", "--against", "store").exits(76)
    try work.iapkg("report", "Book", "--against", "store", "-o", "book.html").exits(76)
    #expect(!work.exists("book.html"))
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "page.html").exits(0)
    #expect(try work.text("page.html").contains("no key that trust document 1 accepts"))
  }

  @Test func `a publisher refuses a trust document that the previous root keys did not sign`() throws {
    try work.write(
      bench.document(2, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"]), to: "store/trust/2.json")
    try bench.forgeCatalog(by: ["thief"]) { ($0.sequence, $0.trust) = ($0.sequence + 1, 2) }
    try bench.publish("1.2", by: "key").fails(76, saying: "store/trust/2.json")
    try work.makeBook()
    try work.iapkg("release", "--dry-run", "Book", "--to", "store").fails(76, saying: "store/trust/2.json")
  }

  @Test(arguments: ["", "junk", #"{"stores": [{"store": 1}]}"#])
  func `a memory that cannot be read is neither ignored nor replaced`(_ text: String) throws {
    try work.write(text, to: "key.iapkg")
    try bench.publish("1.2", by: "key").exits(1, saying: "key.iapkg", "cannot be read", "delete it")
    #expect(try work.text("key.iapkg") == text)
  }

  @Test func `a publisher is warned in the last two weeks of a trust document`() throws {
    try bench.trust("threshold", by: ["root"], "--expires", "15").succeeds()
    let early = try bench.publish("1.2", by: "key").succeeds()
    #expect(!early.errors.contains("clients refuse"))
    try bench.trust("threshold", by: ["root"], "--expires", "13").succeeds()
    let late = try bench.publish("1.3", by: "key").exits(0)
    #expect(late.errors.contains("clients refuse the trust document"))
    let expired = try bench.document(4, expires: Timestamp(seconds: 1_700_000_000), signedBy: ["root"])
    try work.write(expired, to: "store/trust/4.json")
    try bench.publish("1.4", by: "key").exits(
      0, saying: "clients have refused the trust document of store since 2023-11-14T22:13:20Z")
  }

  @Test func `a key that signed the draft continues it, and the same change can be repeated`() throws {
    try bench.makeKeys("a")
    try bench.trust("add", by: ["root", "a"], "--root-key", "a.pub", "--root-threshold", "2").succeeds()
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    // The draft has no change but this one.
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.trust("remove", by: ["root"], "--catalog-key", "key.pub").succeeds()
    try bench.trust("threshold", by: ["a"], "--expires", "30").fails(
      76, saying: "not all of the keys given signed")
    try bench.trust("threshold", by: ["root", "a"], "--expires", "30").fails(
      76, saying: "not all of the keys given signed")
    try bench.trust("sign", by: ["a", "new"]).succeeds()
    #expect(work.exists("store/trust/3.json"))
  }

  @Test func `--draft signs only the draft that was examined`() throws {
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    let digest = try #require(try shown("draft", "sha256")?.text)
    try bench.trust("show", "--payload", "text").succeeds()
    #expect(digest == SHA256Digest(of: try work.bytes("text")).hexadecimal)
    try plantDraft()
    let before = try work.snapshot("store")
    try bench.trust("sign", by: ["root"], "--draft", digest).fails(
      76, saying: "expected \(digest)", "another process changed it")
    try bench.trust("sign", by: ["root"], "--draft", "abc").fails(
      64, saying: "expected 64 hexadecimal digits")
    #expect(try work.snapshot("store") == before)
    let present = try #require(try shown("draft", "sha256")?.text)
    try bench.trust("sign", by: ["root"], "--draft", "SHA256:\(present.uppercased())").succeeds()
    try bench.trust("sign", by: ["root"], "--draft", present).fails(66, saying: "no draft")
  }

  @Test(arguments: [["thief"], []])
  func `a change of keys signs no catalog that an unknown key signed`(_ signers: [String]) throws {
    try bench.install()
    try bench.forgeCatalog(by: signers) { $0.sequence += 1 }
    let forged = try work.bytes("store/catalog.json")
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    try bench.trust("remove", "--catalog-key", "key.pub").succeeds()
    try bench.trust("sign", by: ["root", "new"]).fails(
      76, saying: "someone else may have put it there", "iapkg trust sign --catalog")
    try bench.trust("add", by: ["new"], "--catalog-key", "new.pub").exits(0)
    #expect(try work.bytes("store/catalog.json") == forged)
    try bench.trust("sign", by: ["root"]).succeeds()
    #expect(!work.exists("store/trust/2.json"))
    try bench.trust("sign", by: ["new"], "--catalog", String(repeating: "0", count: 64)).fails(
      76, saying: "is not the one that was named")
    let digest = try #require(try shown("catalogSHA256")?.text)
    let signed = try bench.trust("sign", by: ["new"], "--catalog", digest).succeeds().output
    #expect(signed.contains("signed catalog 3 of") && signed.contains("1 product"))
    let thief = try bench.fingerprint("thief")
    #expect(signed.contains(signers.isEmpty ? "not signed before" : "signed by \(thief) before"))
    #expect(work.exists("store/trust/2.json"))
  }

  @Test func `a catalog by a revoked key is signed only by its digest`() throws {
    try work.run(["cp", "store/catalog.json", "old.json"]).exits(0)
    try bench.replaceKey()
    try work.run(["cp", "old.json", "store/catalog.json"]).exits(0)
    let text = try bench.trust("show").succeeds().output
    #expect(text.contains("trust document 2 does not accept the catalog"))
    try bench.trust("sign", by: ["new"]).fails(76, saying: "trust document 2 does not accept it")
    let digest = try #require(try shown("catalogSHA256")?.text)
    #expect(text.contains("for trust sign --catalog: \(digest)"))
    try bench.trust("sign", by: ["root"], "--catalog", digest).fails(1, saying: "requires signatures by 1 of")
    try bench.trust("sign", by: ["new"], "--catalog", digest).succeeds()
    #expect(try shown("catalogAccepted") == true)
  }

  @Test func `keys sign no catalog behind the last one that one of them signed`() throws {
    try work.run(["cp", "store/catalog.json", "old.json"]).exits(0)
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.publish("1.2", by: "new").succeeds()
    try bench.trust("add", by: ["root"], "--catalog-key", "thief.pub", "--catalog-threshold", "1").succeeds()
    try work.run(["cp", "old.json", "store/catalog.json"]).exits(0)
    try bench.trust("remove", "--catalog-key", "key.pub").succeeds()
    try bench.trust("sign", by: ["root", "new"]).fails(
      76, saying: "one of the keys signed catalog 3 of this store")
    #expect(!work.exists("store/trust/4.json"))
  }

  @Test func `the first trust document is refused if an unknown key signed the catalog`() throws {
    try work.remove("store")
    for key in ["key", "root"] { try work.remove("\(key).iapkg") }
    try bench.publish("1.0", by: "key").succeeds()
    try bench.forgeCatalog(by: ["thief"]) { $0.sequence += 1 }
    let forged = try work.bytes("store/catalog.json")
    let text = try bench.trust(
      "init", by: ["root", "key"], "--root-key", "root.pub", "--catalog-key", "key.pub"
    ).succeeds().output
    #expect(text.contains("missing: 1 signature of catalog 2"))
    try bench.trust("sign", by: ["key"]).fails(76, saying: "which is none of the keys given")
    #expect(try work.bytes("store/catalog.json") == forged)
    #expect(!work.exists("store/trust/1.json"))
  }

  @Test func `a key signs no catalog that lost its signature`() throws {
    try bench.makeKeys("single")
    try bench.publish("1.0", by: "single", to: "plain").succeeds()
    let catalog = try work.catalog("plain")
    try work.write(
      CatalogEnvelope(payload: catalog.payload, signature: nil).bytes, to: "plain/catalog.json")
    let before = try work.snapshot("plain")
    for words in [["publish", "\(bench.product)-1.1.pkg"], ["catalog", "renew"]] {
      try work.iapkg(words + ["--to", "plain", "--sign-with", "single"]).fails(
        76, saying: "is not signed, and this key signed catalog 1 of it", "--new-key")
    }
    #expect(try work.snapshot("plain") == before)
    try bench.publish("1.1", by: "single", to: "plain", of: nil, "--new-key").succeeds()
  }

  @Test func `the reported signer is the key whose signature counts`() throws {
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try bench.forgeCatalog(by: ["thief", "new"])
    let new = try bench.fingerprint("new")
    let thief = try bench.fingerprint("thief")
    let words = "signed by \(new) as trust document 2 requires"
    for command in [["catalog"], ["catalog", "verify"]] {
      let text = try work.iapkg(command + ["--from", "store"]).succeeds().output
      #expect(text.contains(words) && !text.contains(thief))
      let document = try work.iapkg(command + ["--from", "store", "--format=json"]).succeeds().document()
      #expect(document["signedBy"]?.text == new)
    }
    let fetched = try bench.fetch().succeeds().output
    #expect(fetched.contains("\(words), which is remembered"))
    try bench.forgeCatalog(by: ["thief"])
    let text = try work.iapkg("catalog", "--from", "store").succeeds().output
    #expect(text.contains("not signed as trust document 2 requires"))
  }

  @Test func `--trust accepts an uppercase digest, and explains invalid ones`() throws {
    let digest = SHA256Digest(of: try work.bytes("store/trust/1.json")).hexadecimal
    try bench.fetch("--trust", digest.uppercased(), "--into", "Some").succeeds()
    try bench.fetch("--trust", String(digest.dropLast()), "--into", "Other").fails(
      1, saying: "has 63 digits, expected the 64 of a SHA-256 digest")
    try bench.fetch("--trust", try bench.fingerprint("key"), "--into", "Other").fails(
      1, saying: "is the fingerprint of a key")
    #expect(!work.exists("Other"))
  }
}

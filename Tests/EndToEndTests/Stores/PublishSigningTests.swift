import Foundation
import PackageForge
import TestSupport
import Testing

/// Catalogs signed with the keys and programs of OpenSSH.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct PublishSigningTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  private func makeKey(_ name: String, passphrase: String = "", kind: String = "ed25519") throws {
    let words = ["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", "test", "-f", name]
    #expect(try work.run(words).code == 0)
  }

  private func fingerprint(_ key: String) throws -> String {
    let output = try work.run(["ssh-keygen", "-l", "-f", "\(key).pub"]).output
    return String(output.split(separator: " ")[1])
  }

  private func publish(_ more: String...) throws -> Outcome {
    try work.iapkg(["publish", "Book.pkg", "--to", "store"] + more)
  }

  @Test(arguments: ["", "secret"])
  func `a private key is identified without its .pub file`(_ passphrase: String) throws {
    try makeKey("key", passphrase: passphrase)
    try work.run(["mv", "key.pub", "elsewhere.pub"]).exits(0)
    try work.makeBookPackage()
    guard passphrase.isEmpty else {
      // The key is identified before ssh-keygen asks for its passphrase.
      try makeKey("other")
      try publish("--sign-with", "other").succeeds()
      try work.makeBookPackage("Book2.pkg", version: "2.0")
      try work.iapkg("publish", "Book2.pkg", "--to", "store", "--sign-with", "key").fails(
        1, saying: try fingerprint("elsewhere"))
      return
    }
    try publish("--sign-with", "key").succeeds()
    try work.makeBookPackage("Book2.pkg", version: "2.0")
    try work.iapkg("publish", "Book2.pkg", "--to", "store", "--sign-with", "key").succeeds()
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
    #expect(work.exists("key.iapkg"))
  }

  @Test func `a signed catalog names its key, and OpenSSH verifies it`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try publish("--sign-with", "key").succeeds()
    let document = try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()
    #expect(document["signedBy"]?.text == (try fingerprint("key")))
    try work.iapkg("catalog", "verify", "--from", "store", "--trust", "key.pub").succeeds()

    let envelope = try JSON(parsing: try work.text("store/catalog.json"))
    let payload = try #require(envelope["payload"]?.text.flatMap { Data(base64Encoded: $0) })
    try work.write(Array(payload), to: "payload")
    try work.write(try #require(envelope["signature"]?.text), to: "payload.sig")
    try work.write("publisher namespaces=\"catalog@iapkg\" \(try work.text("key.pub"))", to: "allowed")
    let verification = try work.run([
      "sh", "-c", "ssh-keygen -Y verify -f allowed -I publisher -n catalog@iapkg -s payload.sig < payload",
    ])
    #expect(verification.code == 0, "\(verification)")
    try work.iapkg("catalog", "--from", "store", "--trust", "allowed").succeeds()
  }

  @Test func `only its key changes a signed catalog, unless --new-key replaces the key`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try makeKey("other")
    try publish().succeeds()
    try work.makeBookPackage("New.pkg", version: "2.0")
    func next(_ more: String...) throws -> Outcome {
      try work.iapkg(["publish", "New.pkg", "--to", "store"] + more)
    }
    try next("--sign-with", "key").succeeds()
    let signed = try work.text("store/catalog.json")
    let withdraw = ["withdraw", "com.example.book", "1.0", "--reason", "x", "--to", "store"]
    for more in [[], ["--sign-with", "other"], ["--sign-with", "other.pub"]] {
      try work.iapkg(["publish", "Book.pkg", "--to", "store"] + more).fails(1, saying: try fingerprint("key"))
      try work.iapkg(withdraw + more).fails(1, saying: try fingerprint("key"))
    }
    // The private key alone identifies the key too.
    try work.remove("other.pub")
    try work.iapkg(withdraw + ["--sign-with", "other"]).fails(1, saying: "--new-key")
    #expect(try work.text("store/catalog.json") == signed)
    try work.iapkg(withdraw + ["--sign-with", "other", "--new-key"]).succeeds()
    try work.iapkg("catalog", "--from", "store", "--trust", "key.pub").fails(76, saying: "is not trusted")
    try publish("--new-key").fails(64)
  }

  @Test func `publishing the same package again signs the catalog, or replaces its key`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try makeKey("other")
    func sign(_ more: String..., sequence: Int64) throws {
      let document = try work.iapkg(["publish", "Book.pkg", "--to", "store", "--format=json"] + more)
        .succeeds()
        .document()
      #expect(document["published"]?[0]?["outcome"] == "already-published")
      #expect(document["sequence"] == .integer(sequence))
    }
    try publish().succeeds()
    try sign("--sign-with", "key", sequence: 2)
    try work.iapkg("catalog", "verify", "--from", "store", "--trust", "key.pub").succeeds()
    try sign("--sign-with", "key", sequence: 2)
    try sign("--sign-with", "key", "--new-key", sequence: 2)
    try sign("--sign-with", "other", "--new-key", sequence: 3)
    try work.iapkg("catalog", "verify", "--from", "store", "--trust", "other.pub").succeeds()
  }

  @Test func `a signature of another catalog is refused, and so is a damaged one`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try publish().succeeds()
    try work.iapkg("catalog", "--from", "store", "--trust", "key.pub").fails(76, saying: "is not signed")
    let unsigned = try JSON(parsing: try work.text("store/catalog.json"))
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("publish", "New.pkg", "--to", "store", "--sign-with", "key").succeeds()
    let signed = try work.text("store/catalog.json")
    let envelope = try JSON(parsing: signed)
    let mixed = signed.replacingOccurrences(
      of: try #require(envelope["payload"]?.text), with: try #require(unsigned["payload"]?.text))
    try work.write(mixed, to: "store/catalog.json")
    try work.iapkg("catalog", "--from", "store").fails(76, saying: "does not belong to this catalog")
    try work.iapkg("publish", "New.pkg", "--to", "store", "--sign-with", "key").fails(76)
    try work.write(
      signed.replacingOccurrences(of: "BEGIN SSH SIGNATURE", with: "BEGIN PGP SIGNATURE"),
      to: "store/catalog.json")
    try work.iapkg("catalog", "--from", "store").fails(76)
  }

  @Test func `a key that cannot sign is refused before any upload`() throws {
    try work.makeBookPackage()
    try makeKey("rsa", kind: "rsa")
    try makeKey("ecdsa", kind: "ecdsa")
    try publish("--sign-with", "rsa").fails(1, saying: "an RSA key")
    try publish("--sign-with", "ecdsa.pub").fails(1, saying: "an ECDSA key")
    try publish("--sign-with", "missing").fails(66, saying: "missing")
    try makeKey("open")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: work.place("open"))
    try publish("--sign-with", "open").fails(1, saying: "its permissions are 0644")
    #expect(!work.exists("store"))
    try makeKey("locked", passphrase: "a secret")
    try publish("--sign-with", "locked").fails(
      1, saying: "the key locked has a passphrase, and there is no terminal", "ssh-agent")
    try work.makeBook()
    // A parent process that ignores SIGCHLD does not hide the exit code of ssh-keygen.
    for place in [[], ["sh", "-c", "trap '' CHLD; exec \"$0\" \"$@\""]] {
      try work.iapkg("release", "Book", "--to", "store", "--sign-with", "locked", through: place)
        .fails(1, saying: "the key locked has a passphrase")
    }
    #expect(!work.exists("store"))
    try work.write("nonsense", to: "trust")
    try work.iapkg("catalog", "--from", "store", "--trust", "trust").fails(1, saying: "trust")
  }

  @Test func `a wrong key without its .pub file is detected before any upload`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try makeKey("other")
    try publish("--sign-with", "key").succeeds()
    try work.remove("other.pub")
    let before = try work.snapshot("store")
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("publish", "New.pkg", "--to", "store", "--sign-with", "other").fails(
      1, saying: "--new-key")
    #expect(try work.snapshot("store") == before)
  }

  @Test func `a dry run needs no key`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    try publish("--sign-with", "key").succeeds()
    try work.makeBook(version: "1.1")
    try work.write("sign-with: missing-key\n", to: "Book/.iapkg.yml")
    try work.write("another cover", to: "Book/Contents/cover.txt")
    try work.iapkg("release", "Book", "--to", "store", "--dry-run").succeeds()
    try work.iapkg("release", "Book", "--to", "store").fails(66, saying: "missing-key")
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("publish", "New.pkg", "--to", "store", "--dry-run").succeeds()
    try work.iapkg("catalog", "prune", "--to", "store", "--keep", "1", "--dry-run").succeeds()
  }

  @Test(.enabled(if: Machine.has("ssh-agent")))
  func `a key in an SSH agent signs with the path of its public key`() throws {
    try work.makeBookPackage()
    try makeKey("key")
    let outcome = try work.run([
      "ssh-agent", "sh", "-c",
      "ssh-add -q key && rm key && \"$0\" publish Book.pkg --to store --sign-with key.pub",
      BuiltProgram.path,
    ])
    #expect(outcome.code == 0, "\(outcome)")
    try work.iapkg("catalog", "verify", "--from", "store", "--trust", "key.pub").succeeds()
  }

  @Test func `the failure of ssh-keygen for a user without an account is explained`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]).code == 0)
    try work.write(
      "#!/bin/sh\necho 'No user exists for uid 1001' >&2\nexit 255\n", to: "bin/ssh-keygen",
      permissions: 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let outcome = try work.run(
      [BuiltProgram.path, "publish", "Book.pkg", "--to", "store", "--sign-with", "key"],
      environment: ["PATH": "\(work.place("bin")):\(path)"])
    outcome.fails(1, saying: "ssh-keygen needs an entry for uid", "in /etc/passwd")
  }
}

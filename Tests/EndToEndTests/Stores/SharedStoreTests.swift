import Foundation
import PackageForge
import TestSupport
import Testing

/// The permissions of a store folder with several publishers, and its location.
@Suite(.waiting) struct SharedStoreTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  /// Returns the kinds and permissions of the items in the store, without repetitions. `format` is a format of find(1).
  private func modes(_ format: String = "%m") throws -> [String] {
    let words = ["find", "store", "-mindepth", "1", "-printf", "%y \(format)\\n"]
    return try Set(work.run(words).exits(0).output.split(separator: "\n").map(String.init)).sorted()
  }

  private func mask(_ mask: String) -> [String] { ["sh", "-c", "umask \(mask) && exec \"$0\" \"$@\""] }

  @Test func `objects published under a private umask are as readable as the store`() throws {
    try work.makeFolder("store")
    try work.setPermissions(0o755, of: "store")
    for version in ["1.0", "1.1"] {
      try work.iapkg("publish", "\(version).pkg", "--to", "store", through: mask("077")).succeeds()
      #expect(try modes() == ["d 755", "f 644"])
    }
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy", through: mask("077")).succeeds()
    #expect(try work.run(["stat", "-c", "%a", "copy"]).output == "700\n")
  }

  @Test func `a new store has the permissions that the umask allows`() throws {
    try work.iapkg("publish", "1.0.pkg", "--to", "store", through: mask("027")).succeeds()
    #expect(try modes() == ["d 750", "f 640"])
    #expect(try work.run(["stat", "-c", "%a", "store"]).output == "750\n")
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `members of a group can share a store`() throws {
    try work.makeFolder("store")
    #expect(try work.run(["chgrp", "65534", "store"]).code == 0)
    #expect(try work.run(["chmod", "2775", "store"]).code == 0)
    try work.setPermissions(0o777, of: "../temporary")
    for (user, version) in [("4001", "1.0"), ("4002", "1.1")] {
      let other = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--groups=65534"]
      try work.iapkg("publish", "\(version).pkg", "--to", "store", through: mask("077") + other).succeeds()
      #expect(try modes("%m %G") == ["d 2775 65534", "f 664 65534"])
    }
    let guest = ["setpriv", "--reuid=4003", "--regid=4003", "--clear-groups"]
    try work.iapkg("catalog", "verify", "--deep", "--from", "store", through: guest).succeeds()
    try work.iapkg("publish", "1.0.pkg", "--to", "store", "--expires", "3", through: guest).exits(73)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `a sticky bit that keeps a second publisher out is named`() throws {
    try work.makeFolder("store")
    #expect(try work.run(["chgrp", "65534", "store"]).code == 0)
    #expect(try work.run(["chmod", "3775", "store"]).code == 0)
    try work.setPermissions(0o777, of: "../temporary")
    func publish(_ version: String, as user: String) throws -> Outcome {
      let other = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--groups=65534"]
      return try work.iapkg("publish", "\(version).pkg", "--to", "store", through: mask("022") + other)
    }
    try publish("1.0", as: "4001").succeeds()
    try publish("1.1", as: "4002").fails(73, saying: "store has the sticky bit", "chmod -t")
    try publish("1.1", as: "4001").succeeds()
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `a reader who may not write to Documents is warned once that no catalog is recorded`() throws {
    try work.makeBookPackage("other.pkg", product: "com.example.other")
    try work.iapkg("publish", "1.0.pkg", "other.pkg", "--to", "store").succeeds()
    try work.iapkg("fetch", "com.example.book", "com.example.other", "--from", "store").exits(0)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    let guest = ["setpriv", "--reuid=4003", "--regid=4003", "--clear-groups"]
    let outcome = try work.iapkg("outdated", through: guest).exits(0)
    #expect(outcome.output.contains("1.1 is available"), "\(outcome)")
    let warning = "warning: iapkg cannot record the catalog in Documents"
    #expect(outcome.errors.components(separatedBy: warning).count == 2, "\(outcome)")
    try work.iapkg("outdated").succeeds()
  }

  @Test(arguments: [[], ["--sign-with", "key"]])
  func `a missing folder for temporary files is named`(_ options: [String]) throws {
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]).code == 0)
    try work.makeBook()
    try work.iapkg(["release", "Book", "--to", "store"] + options, environment: ["TMPDIR": "/nowhere"])
      .exits(73, saying: "TMPDIR is /nowhere, which is not a folder")
  }

  @Test func `a store inside content is refused`() throws {
    try work.makeBook("Book")
    try work.makeFolder("Book/Contents/there")
    try work.makeLink("way", to: "Book/Contents/there")
    let before = try work.snapshot("Book")
    for place in [
      "Book/Contents/s", "Book/s", "Book/Contents/there", "Book/Contents/pages/s", "way", "way/s",
    ] {
      for words in [
        ["release", "Book"], ["release", "Book", "--dry-run"], ["publish", "1.0.pkg"],
      ] {
        try work.iapkg(words + ["--to", place]).fails(73, saying: "content")
      }
    }
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "Book/Contents/s").fails(73)
    try work.iapkg("release", "Book", "--to", "Book").exits(73)
    #expect(try work.snapshot("Book") == before)
  }
}

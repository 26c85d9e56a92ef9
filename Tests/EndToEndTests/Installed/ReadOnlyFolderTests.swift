import Foundation
import PackageForge
import TestSupport
import Testing

/// The user's own folders in a product, without write permission for iapkg.
@Suite(.waiting, .enabled(if: Machine.obeysPermissions, "permissions do not apply here"))
struct ReadOnlyFolderTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    for (name, version) in [("a1", "1.0"), ("a2", "1.1"), ("a3", "1.2")] {
      try work.makeBookPackage("\(name).pkg", product: "com.a", version: version)
    }
    try work.makeBookPackage("b.pkg", product: "com.b")
  }

  /// Runs the program subject to permissions, which do not apply to the superuser.
  private func bound(_ words: String...) throws -> Outcome {
    try work.iapkg(words, through: Machine.bound)
  }

  @Test(arguments: ["flat", "versioned"])
  func `a read-only folder of the user is kept, and blocks no product`(_ layout: String) throws {
    try bound("extract", "a1.pkg", "--into", "D", "--layout", layout).exits(0)
    let home = layout == "flat" ? "D/com.a" : "D/com.a/1.0"
    try work.write("mine", to: "\(home)/mine/f")
    try work.setPermissions(0o555, of: "\(home)/mine")
    try work.write("mine too", to: "\(home)/pages/own")
    try work.setPermissions(0o555, of: "\(home)/pages")
    defer { _ = try? work.run(["chmod", "-R", "u+w", "D"]) }
    for package in ["a2.pkg", "a3.pkg"] {
      let outcome = try bound("extract", package, "--into", "D", "--force", "--keep", "1").exits(0)
      #expect(!outcome.errors.contains("Permission denied"), "\(outcome)")
    }
    try bound("extract", "b.pkg", "--into", "D").exits(0)
    let kept = try work.snapshot("D").filter { $0.key.hasSuffix("/f") || $0.key.hasSuffix("/own") }
    #expect(kept.count == 2)
    try bound("remove", "com.a", "--into", "D", "--force").exits(0)
    #expect(try work.names(in: "D/com.b").contains("cover.txt"))
    #expect(try !work.exists("D/com.a") && work.names(in: "D/.iapkg").isDisjoint(with: ["pending", "trash"]))
  }

  @Test(arguments: ["D", "D/com.a", "D/.iapkg"])
  func `a read-only folder is named, and a read-only product blocks no other`(_ folder: String) throws {
    for package in ["a1.pkg", "a2.pkg"] { try bound("extract", package, "--into", "D").exits(0) }
    try work.setPermissions(0o555, of: folder)
    defer { _ = try? work.setPermissions(0o755, of: folder) }
    let before = try work.snapshot()
    for change in [["extract", "a3.pkg"], ["rollback", "com.a"], ["remove", "com.a"]] {
      try work.iapkg(change + ["--into", "D"], through: Machine.bound)
        .fails(73, saying: "\(folder) is read-only")
      #expect(try work.snapshot() == before)
    }
    try bound("status", "--verify", "--into", "D").succeeds()
    if folder == "D/com.a" { try bound("extract", "b.pkg", "--into", "D").exits(0) }
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `a folder of another user in a product blocks no product`() throws {
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    func asOther(_ words: String...) throws -> Outcome { try work.iapkg(words, through: other) }
    try work.setPermissions(0o777, of: "")
    try asOther("extract", "a1.pkg", "--into", "D").exits(0)
    try work.write("root's", to: "D/com.a/theirs/f")
    try asOther("extract", "a2.pkg", "--into", "D", "--force").exits(0)
    try asOther("extract", "a3.pkg", "--into", "D", "--force").exits(0)
    try asOther("extract", "b.pkg", "--into", "D").exits(0)
    #expect(try work.snapshot("D").keys.contains { $0.hasSuffix("theirs/f") })
    try asOther("remove", "com.a", "--into", "D", "--force").exits(0)
    let outcome = try asOther("extract", "b.pkg", "--into", "D", "--force").exits(0)
    #expect(!outcome.errors.contains("Permission denied"), "\(outcome)")
    #expect(try asOther("status", "--into", "D").exits(0).output.contains("com.b"))
  }

  @Test(
    .enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"),
    arguments: [[], ["a2.pkg"], ["a2.pkg", "a3.pkg"]] as [[String]])
  func `a removal reports as deleted only files that it has deleted`(_ updates: [String]) throws {
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    func asOther(_ words: String...) throws -> Outcome { try work.iapkg(words, through: other) }
    try work.setPermissions(0o777, of: "")
    try asOther("extract", "a1.pkg", "--into", "D").exits(0)
    try work.write("root's", to: "D/com.a/theirs/f")
    try work.write("mine", to: "D/com.a/mine")
    for package in updates { try asOther("extract", package, "--into", "D", "--force").exits(0) }
    let document = try asOther("remove", "com.a", "--into", "D", "--force", "--format=json").exits(0)
      .document()
    let deleted = document["deleted"]?.elements.compactMap(\.text) ?? []
    let files = try work.snapshot("D").keys
    #expect(files.contains { $0.hasSuffix("/theirs/f") })
    #expect(!deleted.contains { $0.contains("/theirs") })
    let isReported = deleted.contains { $0.hasSuffix("/mine") }
    let isLeft = files.contains { $0.hasSuffix("/mine") }
    #expect(isReported != isLeft)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("unshare"), "needs root and unshare"))
  func `a product is removed from a full disk`() throws {
    try work.makeFolder("small")
    let script = """
      mount -t tmpfs -o size=400k tmpfs small && "$0" extract a1.pkg --into small/D && \
      "$0" extract a2.pkg --into small/D && (cat /dev/zero > small/fill || true) 2>/dev/null && \
      "$0" remove com.a --into small/D && "$0" status --into small/D && find small/D -name 'com.a*'
      """
    let outcome = try work.run(["unshare", "-m", "sh", "-c", script, BuiltProgram.path]).exits(0)
    #expect(outcome.output.hasSuffix("small/D/com.a: removed 1.1\n"), "\(outcome)")
  }
}

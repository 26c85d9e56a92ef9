import Foundation
import PackageForge
import TestSupport
import Testing

/// The folders and files that commands create for the user: their permissions, their locations, and their removal after
/// an error.
@Suite(.waiting) struct CreatedFolderTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
  }

  /// The prefix that runs a program with a umask.
  private static func umask(_ mask: String) -> [String] {
    ["/bin/sh", "-c", "umask \(mask); exec \"$0\" \"$@\""]
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a file in place of the output folder is refused`(_ options: [String]) throws {
    try work.write("a file", to: "packages")
    try work.iapkg(["create", "Book", "-o", "packages/"] + options).exits(73)
    try work.iapkg(["create", "Book", "-o", "new/folder/"] + options).exits(0)
    #expect(work.exists("new") == options.isEmpty)
  }

  @Test(arguments: [
    ("022", "755", "644"), ("027", "750", "640"), ("002", "775", "664"), ("077", "700", "600"),
  ])
  func `created folders and files follow the umask`(_ mask: String, _ folder: String, _ file: String) throws {
    try work.makeFolder("made")
    let empty = try work.snapshot("made")
    for arguments in [
      ["init", "made/a/Book", "--parents", "--product-id", "com.example.a"],
      ["import", "Book.pkg", "--folder", "made/imported"],
      ["export", "Book.pkg", "--background-assets", "made/packs"],
      ["create", "Book", "-o", "made/b/packages/"], ["report", "Book", "-o", "made/c/pages/"],
      ["release", "Book", "--to", "made/store"],
    ] {
      try work.iapkg(arguments, through: Self.umask(mask)).succeeds()
    }
    let made = try work.snapshot("made").filter { empty[$0.key] == nil }
    #expect(made.count > 30)
    for (name, description) in made {
      let expected = description.hasPrefix("folder") ? "folder \(folder)" : "file \(file) "
      #expect(description.hasPrefix(expected), "\(name): \(description.prefix(20))")
    }
  }

  @Test func `the cache of a release is private under every umask`() throws {
    for mask in ["000", "002", "022"] {
      try work.iapkg(["release", "Book", "--to", "store"], through: Self.umask(mask)).succeeds()
      let cache = try work.snapshot(".iapkg-cache")
      #expect(cache.count == 2)
      #expect(cache.values.allSatisfy { $0.hasPrefix("file 600 ") })
      try work.remove(".iapkg-cache")
    }
  }

  @Test(arguments: ["link", "link/"])
  func `an output folder may be a link to an empty folder`(_ output: String) throws {
    try work.makeLink("link", to: "elsewhere/target")
    for (arguments, made) in [
      (["import", "Book.pkg", "--folder", output], "ContentInfo.plist"),
      (["export", "Book.pkg", "--background-assets", output], "com-example-book"),
      (["create", "Book", "-o", "link/"], "com.example.book-1.0.pkg"),
      (["report", "Book", "-o", "link/"], "com.example.book.html"),
    ] {
      try work.makeFolder("elsewhere/target")
      try work.iapkg(arguments).succeeds()
      #expect(work.exists("elsewhere/target/\(made)"), "\(arguments)")
      #expect(try work.snapshot()["link"] == "link to elsewhere/target")
      #expect(try work.names(in: "elsewhere") == ["target"])
      try work.remove("elsewhere/target")
    }
  }

  @Test func `an output folder may not be a dangling link or a link to a full folder`() throws {
    try work.makeLink("dangling", to: "nowhere")
    try work.makeLink("full", to: "Book")
    let before = try work.snapshot()
    for arguments in [["import", "Book.pkg", "--folder"], ["export", "Book.pkg", "--background-assets"]] {
      for end in ["", "/"] {
        try work.iapkg(arguments + ["dangling\(end)"]).fails(73, saying: "a symbolic link that leads nowhere")
        try work.iapkg(arguments + ["full\(end)"]).fails(73, saying: "the folder is not empty")
      }
      for output in [".", "./", "..", "Book/..", "/"] {
        try work.iapkg(arguments + [output]).fails(73, saying: "must end in a name")
      }
    }
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: [
    ["publish", "Large.pkg", "--to", "store"], ["publish", "Large.pkg", "--to", "present"],
    ["create", "Large", "-o", "a/b/"], ["report", "Large", "-o", "a/b/", "--against", "Book.pkg"],
    ["import", "Large.pkg", "--folder", "new"], ["export", "Large.pkg", "--background-assets", "new"],
    ["catalog", "copy", "--from", "full", "--to", "copy"],
  ])
  func `an error leaves no folder behind`(_ arguments: [String]) throws {
    try work.makeBook("Large")
    try work.write(Noise.bytes(100_000), to: "Large/Contents/noise")
    // So many files that their report is larger than the limit.
    for number in 0..<300 { try work.write("x", to: "Large/Contents/\(number)") }
    try work.iapkg("create", "Large", "-o", "Large.pkg").succeeds()
    try work.iapkg("publish", "Large.pkg", "--to", "full").succeeds()
    try work.makeFolder("present")
    let before = try work.snapshot()
    let limit = ["/bin/sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\""]
    try work.iapkg(arguments, through: limit).exits(74)
    var after = try work.snapshot()
    // The part of a copied package is kept for the next run.
    if arguments.contains("copy") {
      #expect(after.removeValue(forKey: "copy") != nil)
      after = after.filter { !$0.key.hasPrefix("copy/") }
    }
    #expect(after == before)
  }

  @Test(arguments: [
    ["create", "Book", "-o", "none/x.pkg"], ["bump", "Book.pkg", "-o", "none/x.pkg"],
    ["import", "Book.pkg", "-o", "none/x.pkg"], ["import", "Book.pkg", "--folder", "none/x"],
    ["import", "Book.pkg", "--folder", "Book.pkg/x"],
    ["export", "Book.pkg", "--background-assets", "none/x"],
    ["extract", "Book.pkg", "--into", "none/x"],
    ["extract", "Book.pkg", "--into", "Book.pkg/x", "--parents"],
    ["publish", "Book.pkg", "--to", "none/x"],
    ["release", "Book", "--to", "none/x"], ["catalog", "copy", "--from", "store", "--to", "none/x"],
    ["fetch", "com.example.book", "--from", "store", "--into", "none/x"],
  ])
  func `a dry run fails like the run if its output cannot be created`(_ arguments: [String]) throws {
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let before = try work.snapshot()
    let dryRun = try work.iapkg(arguments + ["--dry-run"]).exits(73)
    #expect(try work.iapkg(arguments).exits(73).errors == dryRun.errors)
    #expect(try work.snapshot() == before)
  }

  @Test(.enabled(if: Machine.obeysPermissions, "permissions do not apply, and setpriv is missing"))
  func `a dry run fails too in a read-only folder`() throws {
    try work.makeFolder("shut")
    try work.setPermissions(0o555, of: "shut")
    for words in [
      ["create", "Book", "-o", "shut/x.pkg"], ["bump", "Book.pkg", "-o", "shut/x.pkg"],
      ["import", "Book.pkg", "--folder", "shut/x"], ["export", "Book.pkg", "--background-assets", "shut/x"],
      ["extract", "Book.pkg", "--into", "shut/x"], ["publish", "Book.pkg", "--to", "shut/x"],
    ] {
      for option in [["--dry-run"], []] {
        try work.iapkg(words + option, through: Machine.bound).exits(73, saying: "shut")
      }
    }
  }

  @Test func `a refused publication leaves no folder`() throws {
    try work.iapkg("publish", "Book.pkg", "--to", "a/store").fails(73)
    try work.iapkg("publish", "missing.pkg", "--to", "store").fails(66)
    #expect(try work.names() == ["Book", "Book.pkg"])
  }
}

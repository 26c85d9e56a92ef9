import Foundation
import TestSupport
import Testing

/// Checks by other programs of the archives that iapkg writes.
@Suite(.waiting) struct PeerTests {
  /// A program that checks an archive, and its arguments before the archive's name.
  struct Peer: CustomTestStringConvertible {
    let words: [String]
    var testDescription: String { words[0] }

    static let all = [
      Peer(words: ["unzip", "-tqq"]), Peer(words: ["zip", "-T"]), Peer(words: ["bsdtar", "-tf"]),
      Peer(words: ["7z", "t", "-tzip"]),
      Peer(words: [
        "python3", "-W", "error", "-c", "import sys, zipfile; exit(zipfile.ZipFile(sys.argv[1]).testzip())",
      ]),
    ]
  }

  private func makePackage(in work: Workspace) throws {
    try work.makeBook()
    try work.write([UInt8](repeating: 65, count: 200_000), to: "Book/Contents/same.txt")
    try work.write("", to: "Book/Contents/empty")
    try work.write("grün", to: "Book/Contents/é/ü.txt")
    try work.write("本", to: "Book/Contents/日本語/第一章.txt")
    try work.makeFolder("Book/Contents/nothing here")
    try work.makeLink("Book/Contents/é/cover", to: "../cover.txt")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
  }

  @Test(arguments: Peer.all)
  func `a peer accepts a created package and a bumped one`(_ peer: Peer) throws {
    guard Machine.has(peer.words[0]) else {
      print("skipped: \(peer.words[0]) is not installed")
      return
    }
    let work = try Workspace()
    try makePackage(in: work)
    let environment = ["LC_ALL": "C.UTF-8", "HOME": ProcessInfo.processInfo.environment["HOME"] ?? "/"]
    for _ in 0..<2 {
      let outcome = try work.run(peer.words + ["Book.pkg"], environment: environment)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty, "\(outcome)")
      #expect(!outcome.output.lowercased().contains("warning"), "\(outcome)")
      try work.iapkg("bump", "Book.pkg").succeeds()
    }
  }

  @Test(.enabled(if: Machine.has("unzip") && Machine.has("diff"), "unzip or diff is not installed"))
  func `unzip restores the content folder`() throws {
    let work = try Workspace()
    try makePackage(in: work)
    let environment = ["LC_ALL": "C.UTF-8"]
    #expect(try work.run(["unzip", "-q", "Book.pkg", "-d", "out"], environment: environment).code == 0)
    let difference = try work.run(["diff", "-r", "--no-dereference", "Book", "out"])
    #expect(difference.code == 0, "\(difference)")
  }
}

import Foundation
import PackageForge
import TestSupport
import Testing

/// The download sizes that commands report for an update.
@Suite(.waiting) struct UpdateSizeTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try makeBook("Old", version: "1.0")
    try makeBook("New", version: "1.1")
    let page = String(repeating: "a page that was written again ", count: 3_000)
    try work.write(page, to: "New/Contents/pages/one.txt")
    try work.write(Self.noise, to: "New/Contents/moved.dat")
    try work.remove("New/Contents/noise.dat")
    try work.write("x", to: "New/Contents/.DS_Store")
    try work.write(String(repeating: "draft ", count: 5_000), to: "New/Contents/big.psd")
    for folder in ["Old", "New"] { try work.write("exclude: ['*.psd']\n", to: "\(folder)/.iapkg.yml") }
  }

  /// Random text, which deflating makes little smaller.
  private static let noise: String = {
    var state: UInt64 = 7
    return String(
      (0..<40_000).map { _ -> Character in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Character(Unicode.Scalar(UInt8(33 + (state >> 33) % 94)))
      })
  }()

  private func makeBook(_ folder: String, version: String) throws {
    try work.makeBook(folder, version: version)
    try work.write(String(repeating: "a page ", count: 3_000), to: "\(folder)/Contents/pages/one.txt")
    for number in 0..<30 {
      try work.write(String(repeating: "\(number) ", count: 400), to: "\(folder)/Contents/more/\(number).txt")
    }
    try work.write(Self.noise, to: "\(folder)/Contents/noise.dat")
  }

  /// Returns a number in the JSON document of a command.
  private func figure(_ arguments: [String], _ find: (JSON) -> JSON?) throws -> Int64 {
    let outcome = try work.iapkg(arguments + ["--format", "json"])
    #expect(outcome.code == 0, "\(outcome)")
    return try #require(find(outcome.document())?.integer, "\(outcome)")
  }

  @Test(arguments: [true, false])
  func `a folder has the update size of the package that its own settings create`(_ isOld: Bool) throws {
    let settings = "compression: { '*': store }\n"
    try work.write(settings, to: isOld ? "Old/.iapkg.yml" : "New/.iapkg.yml")
    try work.remove(isOld ? "New/.iapkg.yml" : "Old/.iapkg.yml")
    try work.iapkg("create", "Old", "-o", "Old.pkg").exits(0)
    try work.iapkg("create", "New", "-o", "New.pkg").exits(0)
    let expected = try figure(["diff", "Old.pkg", "New.pkg"]) { $0["downloadBytes"] }
    for (old, new) in [("Old", "New"), ("Old", "New.pkg"), ("Old.pkg", "New")] {
      #expect(try figure(["diff", old, new]) { $0["downloadBytes"] } == expected, "\(old) \(new)")
    }
  }

  @Test func `the content of the newest release transfers nothing, also under a lower version`() throws {
    try work.iapkg("create", "New", "-o", "New.pkg").exits(0)
    try work.iapkg("publish", "New.pkg", "--to", "store").exits(0)
    for version in ["1.1", "1.0"] {
      try work.iapkg("bump", "New", "--to", version, "--force").exits(0)
      let report = ["report", "New", "--against", "store", "-o", "page.html", "--force"]
      #expect(try figure(report) { $0["updates"]?[0]?["transferBytes"] } == 0, "\(version)")
    }
  }

  @Test func `every command reports the same update size`() throws {
    try work.iapkg("create", "Old", "-o", "Old.pkg").exits(0)
    try work.iapkg("create", "New", "-o", "New.pkg").exits(0)
    try work.iapkg("publish", "Old.pkg", "--to", "store").exits(0)
    try work.iapkg("fetch", "com.example.book", "--from", "store").exits(0)
    let expected = try figure(["publish", "New.pkg", "--to", "store", "--dry-run"]) {
      $0["published"]?[0]?["updateBytes"]
    }
    for old in ["Old", "Old.pkg"] {
      for new in ["New", "New.pkg"] {
        #expect(try figure(["diff", old, new]) { $0["downloadBytes"] } == expected, "\(old) \(new)")
        let report = ["report", new, "--against", old, "-o", "page.html", "--force"]
        #expect(try figure(report) { $0["updateBytes"] } == expected, "\(old) \(new)")
        #expect(try work.text("page.html").contains("\"downloadBytes\":\(expected)"))
      }
    }
    for new in ["New", "New.pkg"] {
      let report = ["report", new, "--against", "store", "-o", "page.html", "--force"]
      #expect(try figure(report) { $0["updates"]?[0]?["transferBytes"] } == expected)
      #expect(try figure(report) { $0["updateBytes"] } == expected)
    }
    let release = ["release", "New", "--to", "store"]
    #expect(try figure(release + ["--dry-run"]) { $0["published"]?[0]?["updateBytes"] } == expected)
    #expect(try figure(release) { $0["published"]?[0]?["updateBytes"] } == expected)
    #expect(try figure(["outdated"]) { $0["products"]?[0]?["transferBytes"] } == expected)
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "catalog.html").exits(0)
    #expect(try work.text("catalog.html").contains("\"updateBytes\":\(expected)"))
  }

  @Test func `the update size is the same if the version is not raised`() throws {
    try work.iapkg("create", "Old", "-o", "Old.pkg").exits(0)
    try work.iapkg("publish", "Old.pkg", "--to", "store").exits(0)
    try work.write(work.text("Old/ContentInfo.plist"), to: "New/ContentInfo.plist")
    let figures = try ["Old", "Old.pkg", "store"].map { old in
      try work.iapkg("report", "New", "--against", old, "-o", "page.html", "--force", "--format", "json")
        .document()["updateBytes"]?.integer
    }
    #expect(figures[0] != nil && Set(figures).count == 1, "\(figures)")
    let difference = try work.iapkg("diff", "Old", "New", "--format", "json").document()
    #expect(difference["downloadBytes"]?.integer == figures[0])
  }

  @Test func `a folder has the sizes of its package, without excluded files`() throws {
    try work.iapkg("create", "New", "-o", "New.pkg").exits(0)
    let report = ["report", "-o", "page.html", "--force"]
    for key in ["archiveBytes", "contentBytes", "entries"] {
      #expect(try figure(report + ["New"]) { $0[key] } == figure(report + ["New.pkg"]) { $0[key] }, "\(key)")
    }
    for key in ["contentBytes", "entries"] {
      #expect(try figure(["info", "New"]) { $0[key] } == figure(["info", "New.pkg"]) { $0[key] })
      #expect(
        try figure(["validate", "New"]) { $0["packages"]?[0]?[key] }
          == figure(["validate", "New.pkg"]) { $0["packages"]?[0]?[key] })
    }
    let kinds = try ["New", "New.pkg"].map {
      try work.iapkg("info", $0, "--format=json").exits(0).document()["byKind"]
    }
    #expect(kinds[0] == kinds[1])
    try work.iapkg("report", "New", "-o", "page.html", "--force").exits(0)
    let page = try work.text("page.html")
    #expect(!page.contains("[\"Contents/.DS_Store\"") && !page.contains("big.psd"))
  }

  @Test func `an update between differently compressed packages includes new index pages`() throws {
    for number in 0..<300 {
      let text = String(repeating: "\(number) ", count: 40)
      for folder in ["Old", "New"] { try work.write(text, to: "\(folder)/Contents/small/\(number).txt") }
    }
    try work.iapkg("create", "Old", "-o", "Old.pkg", "--compression", "best").exits(0)
    try work.iapkg("create", "New", "-o", "New.pkg", "--compression", "store").exits(0)
    try work.iapkg("publish", "Old.pkg", "--to", "store").exits(0)
    let expected = try figure(["publish", "New.pkg", "--to", "store", "--dry-run"]) {
      $0["published"]?[0]?["updateBytes"]
    }
    try work.iapkg("create", "Old", "-o", "Stored.pkg", "--compression", "store").exits(0)
    #expect(
      try expected > figure(["diff", "Stored.pkg", "New.pkg"]) { $0["downloadBytes"] } + 10_000)
    #expect(try figure(["diff", "Old.pkg", "New.pkg"]) { $0["downloadBytes"] } == expected)
    #expect(
      try figure(["report", "New.pkg", "--against", "Old.pkg", "-o", "page.html"]) { $0["updateBytes"] }
        == expected)
    // The folder is packed with the default compression.
    let folder = try figure(["release", "New", "--to", "store", "--dry-run"]) {
      $0["published"]?[0]?["updateBytes"]
    }
    #expect(try figure(["diff", "Old.pkg", "New"]) { $0["downloadBytes"] } == folder)
  }

  @Test func `an update of the version alone downloads its index, and unchanged content nothing`() throws {
    try work.iapkg("create", "Old", "-o", "Old.pkg").exits(0)
    try work.iapkg("publish", "Old.pkg", "--to", "store").exits(0)
    let same = try work.iapkg("diff", "Old.pkg", "Old").succeeds().output
    #expect(same == "com.example.book 1.0 -> 1.0: same content\n")
    try work.iapkg("bump", "Old.pkg", "-o", "Raised.pkg").succeeds()
    let index = try figure(["publish", "Raised.pkg", "--to", "store", "--dry-run"]) {
      $0["published"]?[0]?["updateBytes"]
    }
    #expect(try figure(["diff", "Old.pkg", "Raised.pkg"]) { $0["downloadBytes"] } == index)
    #expect(try figure(["diff", "Old.pkg", "Old"]) { $0["downloadBytes"] } == 0)
  }

  @Test func `release reports an update that is as large as the package`() throws {
    try work.makeBook("Tiny")
    try work.iapkg("release", "Tiny", "--to", "tiny").exits(0)
    try work.write("another cover", to: "Tiny/Contents/cover.txt")
    let output = try work.iapkg("release", "Tiny", "--to", "tiny", "--bump").exits(0).output
    #expect(output.contains("an update from 1.0 is as large as the whole package"), "\(output)")
    #expect(!output.contains("%"))
  }
}

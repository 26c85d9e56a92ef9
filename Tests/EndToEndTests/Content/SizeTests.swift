import TestSupport
import Testing

/// The size limit applies before any byte is read.
@Suite(.waiting) struct SizeTests {
  @Test func `a sparse file of 3 GB is refused`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 3_000_000_000)
    try work.iapkg("create", "Book").fails(1, saying: "[size/over-limit]", "expected at most 2147483648")
    #expect(try work.names() == ["Book"])
    #expect(try work.rules(in: "Book") == ["size/over-limit"])
    let words = ["create", "--contents", "Book/Contents", "--product-id", "a", "--content-version", "1"]
    try work.iapkg(words).fails(1, saying: "[size/over-limit]")
  }

  @Test func `content over the limit keeps its product and version`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    for input in ["Book", "Book.pkg"] {
      let words = ["validate", input, "--max-size", "10", "--format=json"]
      let document = try work.iapkg(words).exits(1).document()
      #expect(document["packages"]?[0]?["productIdentifier"] == "com.example.book", "\(input)")
    }
    try work.makeSparseFile("Book/Contents/large", bytes: 3_000_000_000)
    #expect(try work.iapkg("info", "Book").exits(0).output.contains("com.example.book"))
    try work.iapkg("diff", "Book.pkg", "Book").fails(1, saying: "[size/over-limit]")
  }

  @Test func `several files count together`() throws {
    let work = try Workspace()
    try work.makeBook()
    for name in ["a", "b"] { try work.makeSparseFile("Book/Contents/\(name)", bytes: 1_000_000_000) }
    #expect(try work.rules(in: "Book") == ["size/near-limit"])
    try work.iapkg("validate", "Book").exits(0)
    try work.iapkg("validate", "Book", "--strict").exits(1)
    try work.iapkg("validate", "Book", "--strict", "--ignore", "size/near-limit").exits(0)
    try work.makeSparseFile("Book/Contents/c", bytes: 1_000_000_000)
    #expect(try work.rules(in: "Book") == ["size/over-limit"])
  }

  @Test func `sizes far above the limit are refused too`() throws {
    let work = try Workspace()
    try work.makeBook()
    for number in 0..<3 { try work.makeSparseFile("Book/Contents/\(number)", bytes: 1 << 43) }
    #expect(try work.rules(in: "Book") == ["size/over-limit"])
  }

  private static let units: [(String, UInt64)] = [
    ("4096", 4_096), ("4096B", 4_096), ("5kb", 5_000), ("5KB", 5_000), ("4KiB", 4_096), ("1MB", 1_000_000),
    ("1MiB", 1_048_576), ("1.5MB", 1_500_000), ("0.5GiB", 536_870_912), ("1GB", 1_000_000_000),
    ("1.5GiB", 1_610_612_736),
  ]

  @Test(arguments: units)
  func `--max-size accepts every unit, exact to the byte`(_ size: String, _ bytes: UInt64) throws {
    let work = try Workspace()
    try work.makeBook()
    let rest = UInt64(try work.bytes("Book/ContentInfo.plist").count + 15)
    try work.makeSparseFile("Book/Contents/large", bytes: bytes - rest)
    try work.iapkg("validate", "Book", "--max-size", size).exits(0)
    try work.makeSparseFile("Book/Contents/large", bytes: bytes - rest + 1)
    let outcome = try work.iapkg("validate", "Book", "--max-size", size).exits(1)
    #expect(outcome.output.contains("the content has \(bytes + 1) bytes, expected at most \(bytes)"))
  }

  @Test func `the limit applies to the package as well as to the content`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let info = try work.iapkg("info", "Book.pkg", "--format=json").succeeds().document()
    let archive = try #require(info["archiveBytes"]?.integer)
    let content = try #require(info["contentBytes"]?.integer)
    try #require(archive > content)
    try work.iapkg("validate", "Book.pkg", "--max-size", "\(archive)").exits(0)
    try work.iapkg("validate", "Book.pkg", "--max-size", "\(archive - 1)").exits(1)
    try work.iapkg("create", "Book", "-o", "a.pkg", "--max-size", "\(archive - 1)")
      .fails(1, saying: "the package would have \(archive) bytes, expected at most \(archive - 1)")
    #expect(try work.names() == ["Book", "Book.pkg"])
    try work.iapkg("create", "Book", "-o", "a.pkg", "--max-size", "\(archive)").succeeds()
    try work.iapkg("extract", "a.pkg", "--max-size", "\(archive - 1)").fails(1, saying: "[size/over-limit]")
  }
}

import PackageForge
import TestSupport
import Testing

/// Items of the user in the place of the indexes in `Documents`, which only save downloads.
@Suite struct KeptIndexTests {
  private let work: Workspace
  private static let product = "com.example.book"
  private static let indexes = "Documents/.iapkg/indexes"

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] {
      try work.makeBookPackage("\(version).pkg", version: version)
    }
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.iapkg("fetch", Self.product, "--from", "store").exits(0)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
  }

  @Test(
    "an item of the user is ignored and kept",
    arguments: ["", "/com.example.book"], ["a file", "a folder", "a FIFO", "a link"])
  func item(_ part: String, _ kind: String) throws {
    let path = Self.indexes + part
    try work.remove(path)
    try work.makeFolder("mine")
    switch kind {
    case "a file": try work.write("mine", to: path)
    case "a folder": try work.write("mine", to: "\(path)/file")
    case "a FIFO": try work.run(["mkfifo", path]).exits(0)
    default: try work.makeLink(path, to: work.place("mine"))
    }
    let inode = try work.inode(path)
    try work.iapkg("outdated").succeeds()
    try work.iapkg("update").succeeds()
    try work.iapkg("fetch", Self.product, "--from", "store", "--force").succeeds()
    #expect(
      try work.iapkg("status", "--verify").succeeds().output.contains("\(Self.product) 1.1 (flat): intact"))
    try work.iapkg("outdated").succeeds()
    let isReplaced = part.isEmpty ? kind == "a folder" : kind == "a file"
    // A folder of indexes and the file of an index are what iapkg itself would create there.
    if !isReplaced { #expect(try work.inode(path) == inode) }
    try work.iapkg("remove", Self.product).succeeds()
    #expect(!work.exists("Documents/\(Self.product)"))
    if !isReplaced { #expect(try work.inode(path) == inode) }
    if kind == "a folder" { #expect(try work.text("\(path)/file") == "mine") }
    #expect(try work.names(in: "mine").isEmpty)
  }
}

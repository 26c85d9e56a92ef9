import TestSupport
import Testing

/// Archives of asset packs that were changed, cut or replaced, and those that iapkg did not make.
@Suite(.waiting) struct AssetPackArchiveTests {
  private static let validation = ["validate", "--background-assets", "Packs"]
  private static let publication = [
    "export", "--background-assets", "Packs", "--download-manifest", "--base-url", HostedPacks.base, "--to",
    "store",
  ]

  @Test func `a packed archive with other bytes is refused`() throws {
    let packs = try HostedPacks()
    let work = packs.work
    let packer = try StandInPacker(work)
    for name in ["book", "game"] {
      try packs.write(name, name)
      try work.remove("Packs/\(name).aar")
    }
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--ba-package", packer.path).succeeds()
    let book = try work.bytes("Packs/book.aar")
    let wrong = [Array(book.prefix(20)), try work.bytes("Packs/game.aar"), []]
    for bytes in wrong {
      try work.write(bytes, to: "Packs/book.aar")
      for words in [Self.validation, Self.publication] {
        try work.iapkg(words).fails(
          65, saying: "Packs/book.aar", "it has the SHA-256", "as iapkg made it", "--pack")
      }
    }
    #expect(!work.exists("store"))
    try work.write(book, to: "Packs/book.aar")
    for words in [Self.validation, Self.publication] { try work.iapkg(words).succeeds() }
  }

  @Test(arguments: [
    "<<<<<<< ours\n", "", "{", #"{"schemaVersion": 2, "packs": []}"#, #"{"schemaVersion": 1}"#,
    #"{"schemaVersion": 1, "packs": [{}]}"#,
    #"{"schemaVersion": 1, "packs": [{"folder": "book", "archive": "0"}]}"#,
  ])
  func `an invalid record of the archives is refused`(_ record: String) throws {
    let packs = try HostedPacks()
    let work = packs.work
    try packs.write("book", "book")
    try work.write(record, to: "Packs/.iapkg-packs.json")
    for words in [Self.validation + ["--strict"], Self.publication] {
      try work.iapkg(words).fails(
        78, saying: "Packs/.iapkg-packs.json is not valid", "delete it and pack the asset packs again")
    }
    #expect(!work.exists("store"))
    try work.remove("Packs/.iapkg-packs.json")
    for words in [Self.validation, Self.publication] { try work.iapkg(words).succeeds() }
  }

  @Test(.enabled(if: Machine.obeysPermissions, "needs file permissions"))
  func `a record of the archives that cannot be opened is refused`() throws {
    let packs = try HostedPacks()
    let work = packs.work
    try packs.write("book", "book")
    try work.write("{}", to: "Packs/.iapkg-packs.json")
    try work.setPermissions(0, of: "Packs/.iapkg-packs.json")
    for words in [Self.validation, Self.publication] {
      try work.iapkg(words, through: Machine.bound).fails(66, saying: "cannot open Packs/.iapkg-packs.json")
    }
    #expect(!work.exists("store"))
  }

  @Test(arguments: [("", "it is empty"), ("PK\u{3}\u{4}", "it begins with 'PK")])
  func `an archive of another program must begin like an Apple Archive`(_ start: String, _ words: String)
    throws
  {
    let service = try PackService()
    let work = service.work
    try service.write("one", start)
    try work.write(start, to: "Packs/one.aar")
    for command in [Self.validation, Self.publication] {
      try work.iapkg(command).fails(65, saying: "Packs/one.aar", words, "Apple Archive")
    }
    try service.upload().fails(65, saying: "Packs/one.aar", words)
    try service.write("one", "pbze one")
    try work.iapkg(Self.publication).succeeds()
  }
}

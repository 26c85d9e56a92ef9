import PackageForge
import Testing

/// Versions side by side, and versions kept for `rollback`.
@Suite(.waiting) struct VersionTests {
  private static let product = "Documents/com.example.book"

  /// Creates a workspace with the packages 1.0 to 4.0.
  private static func library() throws -> Workspace {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0", "4.0"] {
      try work.makeBook("Book", version: version)
      try work.write("page one of \(version)", to: "Book/Contents/pages/one.txt")
      try work.iapkg("create", "Book", "-o", "\(version).pkg", "--force").exits(0)
    }
    return work
  }

  private static func versions(_ work: Workspace) throws -> [String?] {
    let product = try work.iapkg("status", "--verify", "--format=json").succeeds().document()["products"]?[0]
    return [product?["contentVersion"]?.text]
      + (product?["previousVersions"]?.elements ?? []).map {
        $0["intact"] == true ? $0["contentVersion"]?.text : nil
      }
  }

  @Test func `a new version changes no older version, and switches the link`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.0.pkg", "--layout", "versioned").succeeds()
    let inode = try work.inode(Self.product + "/1.0/pages/one.txt")
    try work.iapkg("extract", "2.0.pkg").succeeds()
    try work.iapkg("extract", "3.0.pkg", "--keep", "2").succeeds()
    #expect(try work.names(in: Self.product) == ["1.0", "2.0", "3.0", "current"])
    #expect(try work.inode(Self.product + "/1.0/pages/one.txt") == inode)
    #expect(try work.text(Self.product + "/current/pages/one.txt") == "page one of 3.0")
    #expect(try Self.versions(work) == ["3.0", "2.0", "1.0"])
    try work.iapkg("extract", "4.0.pkg").succeeds()
    #expect(try work.names(in: Self.product) == ["3.0", "4.0", "current"])
    #expect(try work.names(in: "Documents/.iapkg") == ["lock", "records"])
  }

  @Test(arguments: ["flat", "versioned"])
  func `--keep sets the number of previous versions`(_ layout: String) throws {
    let work = try Self.library()
    for version in ["1.0", "2.0", "3.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout, "--keep", "5").succeeds()
    }
    #expect(try Self.versions(work) == ["3.0", "2.0", "1.0"])
    try work.iapkg("extract", "4.0.pkg", "--keep", "0").succeeds()
    #expect(try Self.versions(work) == ["4.0"])
    try work.iapkg("rollback", "com.example.book").fails(1, saying: "no previous version")
    try work.iapkg("extract", "4.0.pkg", "--keep=-1").exits(64)
  }

  @Test(arguments: ["flat", "versioned"])
  func `rollback goes to the named version, or to the last one in use`(_ layout: String) throws {
    let work = try Self.library()
    for version in ["1.0", "2.0", "3.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout, "--keep", "2").succeeds()
    }
    try work.iapkg("rollback", "com.example.book", "--to", "9.9").fails(1, saying: "2.0 or 1.0")
    try work.iapkg("rollback", "com.example.book", "--to", "1").succeeds()
    #expect(try Self.versions(work) == ["1.0", "3.0", "2.0"])
    try work.iapkg("rollback", "com.example.book").succeeds()
    #expect(try Self.versions(work) == ["3.0", "1.0", "2.0"])
    let place = Self.product + (layout == "flat" ? "" : "/current") + "/pages/one.txt"
    #expect(try work.text(place) == "page one of 3.0")
  }

  @Test func `the installation of a kept version only switches to it`() throws {
    let work = try Self.library()
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", "versioned").succeeds()
    }
    let inode = try work.inode(Self.product + "/2.0")
    try work.iapkg("rollback", "com.example.book").succeeds()
    try work.iapkg("extract", "2.0.pkg").succeeds()
    #expect(try work.inode(Self.product + "/2.0") == inode)
    #expect(try Self.versions(work) == ["2.0", "1.0"])
    try work.iapkg("rollback", "com.example.book").succeeds()
    try work.write("PAGE ONE OF 2.0", to: Self.product + "/2.0/pages/one.txt")
    try work.iapkg("extract", "2.0.pkg").succeeds()
    #expect(try work.text(Self.product + "/2.0/pages/one.txt") == "page one of 2.0")
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/2.0/pages/one.txt") == "PAGE ONE OF 2.0")
  }

  @Test(arguments: ["flat", "versioned"])
  func `the same version with other content is refused without --force`(_ layout: String) throws {
    let work = try Self.library()
    try work.makeBookPackage("Other.pkg", version: "2.0")
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout).succeeds()
    }
    let before = try work.snapshot()
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["extract", "Other.pkg"] + options).fails(1, saying: "version 2.0 already exists")
      #expect(try work.snapshot() == before)
    }
    try work.iapkg("rollback", "com.example.book").succeeds()
    let rolledBack = try work.snapshot()
    try work.iapkg("extract", "Other.pkg").fails(1, saying: "version 2.0 already exists")
    #expect(try work.snapshot() == rolledBack)
    try work.iapkg("extract", "Other.pkg", "--force").succeeds()
    #expect(try Self.versions(work) == ["2.0", "1.0"])
    let place = Self.product + (layout == "flat" ? "" : "/current") + "/pages/one.txt"
    #expect(try work.text(place) == "page one")
  }

  @Test(arguments: ["flat", "versioned"])
  func `installing the same version again keeps the previous one`(_ layout: String) throws {
    let work = try Self.library()
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout).succeeds()
    }
    // The record names the exchanged folders; everything else is unchanged.
    let before = try work.snapshot().filter { !$0.key.hasPrefix("Documents/.iapkg/records/") }
    try work.iapkg("extract", "2.0.pkg", "--force").succeeds()
    #expect(try work.snapshot().filter { !$0.key.hasPrefix("Documents/.iapkg/records/") } == before)
    let change = try work.iapkg("rollback", "com.example.book", "--format=json").succeeds().document()
    #expect(change["contentVersion"] == "1.0")
  }

  @Test func `a change of the layout keeps the previous versions`() throws {
    let work = try Self.library()
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--exclude-from-backup").succeeds()
    }
    try work.iapkg("extract", "3.0.pkg", "--layout", "versioned", "--keep", "2").succeeds()
    #expect(try work.names(in: Self.product).isSuperset(of: ["1.0", "2.0", "3.0", "current"]))
    #expect(try Self.versions(work) == ["3.0", "2.0", "1.0"])
    try work.iapkg("rollback", "com.example.book").succeeds()
    #expect(try Self.versions(work) == ["2.0", "3.0", "1.0"])
    try work.iapkg("extract", "4.0.pkg", "--layout", "flat", "--keep", "3").succeeds()
    #expect(try work.names(in: "Documents/.iapkg/previous/com.example.book") == ["1.0", "2.0", "3.0"])
    #expect(try Self.versions(work) == ["4.0", "2.0", "3.0", "1.0"])
    try work.iapkg("rollback", "com.example.book", "--to", "1.0").succeeds()
    #expect(try Self.versions(work) == ["1.0", "4.0", "2.0", "3.0"])
  }

  @Test func `a file that replaced the link is kept`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.0.pkg", "--layout", "versioned").succeeds()
    try work.remove(Self.product + "/current")
    try work.write("mine", to: Self.product + "/current")
    try work.iapkg("extract", "2.0.pkg").succeeds()
    #expect(try work.snapshot(Self.product)["current"] == "link to 2.0")
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/current") == "mine")
  }
}

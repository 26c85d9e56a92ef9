import Foundation
import PackageForge
import TestSupport
import Testing

/// The files that stop a removal, and those that it deletes.
@Suite struct RemoveTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws {
    work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  private func install(_ versions: String..., layout: String) throws {
    for version in versions { try work.iapkg("extract", "\(version).pkg", "--layout", layout).succeeds() }
  }

  /// Checks that `remove` and its rehearsal refuse, change nothing, and name the file.
  private func refuses(naming file: String, saying words: String) throws {
    let before = try work.snapshot()
    for more in [[], ["--dry-run"]] {
      try work.iapkg(["remove", product] + more).fails(73, saying: words, file, "--force")
    }
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["flat", "versioned"], ["another", "a COVER"])
  func `an edit of the version in use stops a removal, also one of the same size`(
    _ layout: String, _ edit: String
  ) throws {
    try install("1.0", layout: layout)
    let file = layout == "flat" ? "Documents/\(product)/cover.txt" : "Documents/\(product)/1.0/cover.txt"
    try work.write(edit, to: file)
    try refuses(naming: file, saying: "1 file of \(product) was modified since the installation")
    let rehearsed = try work.iapkg("remove", product, "--force", "--dry-run", "--format=json").succeeds()
      .document()
    #expect(rehearsed["deleted"]?.elements == [.string(file)])
    #expect(try work.text(file) == edit)
    let text = try work.iapkg("remove", product, "--force").succeeds().output
    #expect(text.contains("deleted: \(file)\n"))
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: ["flat", "versioned"], ["another", "a COVER"])
  func `an edit of a previous version stops a removal`(_ layout: String, _ edit: String) throws {
    try install("1.0", "2.0", layout: layout)
    let folder = layout == "flat" ? "Documents/.iapkg/previous/\(product)" : "Documents/\(product)"
    try work.write(edit, to: "\(folder)/1.0/cover.txt")
    try refuses(naming: "\(folder)/1.0/cover.txt", saying: "was modified since the installation")
    let document = try work.iapkg("remove", product, "--force", "--format=json").succeeds().document()
    #expect(document["deleted"]?.elements == [.string("\(folder)/1.0/cover.txt")])
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `an edit that an update has kept stops a removal`() throws {
    try install("1.0", layout: "flat")
    try work.write("edited", to: "Documents/\(product)/cover.txt")
    try work.iapkg("extract", "2.0.pkg").succeeds()
    try refuses(naming: "previous/\(product)/1.0/cover.txt", saying: "was modified")
  }

  @Test(arguments: ["flat", "versioned"])
  func `files in and beside the folder of a previous version stop a removal`(_ layout: String) throws {
    try install("1.0", "2.0", layout: layout)
    let folder = layout == "flat" ? "Documents/.iapkg/previous/\(product)" : "Documents/\(product)"
    try work.write("mine", to: "\(folder)/notes.txt")
    let before = try work.snapshot()
    try work.iapkg("remove", product).fails(73, saying: "notes.txt", "iapkg did not install")
    #expect(try work.snapshot() == before)
    try work.write("mine", to: "\(folder)/1.0/pages/mine.txt")
    let document = try work.iapkg("remove", product, "--force", "--format=json").succeeds().document()
    let deleted = Set(document["deleted"]?.elements.compactMap(\.text) ?? [])
    #expect(deleted == ["\(folder)/1.0/pages/mine.txt", "\(folder)/notes.txt"])
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `a missing file stops no removal`() throws {
    try install("1.0", "2.0", layout: "flat")
    for file in ["Documents/\(product)/cover.txt", "Documents/.iapkg/previous/\(product)/1.0/cover.txt"] {
      try work.remove(file)
    }
    try work.iapkg("remove", product).succeeds()
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: ["flat", "versioned"])
  func `a change of the layout keeps an intact version, and the edits of a damaged one`(_ layout: String)
    throws
  {
    try install("1.0", "2.0", layout: layout)
    let folder = layout == "flat" ? "Documents/\(product)" : "Documents/\(product)/2.0"
    try work.write("edited by me", to: "\(folder)/cover.txt")
    let other = layout == "flat" ? "versioned" : "flat"
    let document = try work.iapkg("extract", "3.0.pkg", "--layout", other, "--format=json").succeeds()
      .document()
    let kept = "Documents/.iapkg/kept/\(product)/1/2.0/cover.txt"
    #expect(document["kept"]?.elements == [.string(kept)])
    #expect(try work.text(kept) == "edited by me")
    try work.iapkg("rollback", product).succeeds()
    let status = try work.iapkg("status", "--verify", "--format=json").document()
    #expect(status["products"]?[0]?["contentVersion"] == "1.0")
    #expect(status["products"]?[0]?["missing"]?.elements == [])
  }

  @Test(arguments: ["flat", "versioned"])
  func `a file in place of the folder of a previous version stops a removal`(_ layout: String) throws {
    try install("1.0", "2.0", layout: layout)
    let folder = layout == "flat" ? "Documents/.iapkg/previous/\(product)" : "Documents/\(product)"
    try work.remove("\(folder)/1.0")
    try work.write("mine", to: "\(folder)/1.0")
    try refuses(naming: "\(folder)/1.0", saying: "was modified since the installation")
    let document = try work.iapkg("remove", product, "--force", "--format=json").succeeds().document()
    #expect(document["deleted"]?.elements == [.string("\(folder)/1.0")])
  }

  @Test(arguments: [["--keep", "1"], ["--keep", "0"], ["--layout", "versioned"]])
  func `an update keeps a file beside the folders of previous versions, and lists it`(_ options: [String])
    throws
  {
    try install("1.0", "2.0", layout: "flat")
    let file = "Documents/.iapkg/previous/\(product)/mine.txt"
    try work.write("mine", to: file)
    let update = ["extract", "3.0.pkg", "--format=json"] + options
    for more in [["--dry-run"], []] {
      let document = try work.iapkg(update + more).succeeds().document()
      #expect(document["kept"]?.elements == [.string(file)])
    }
    #expect(try work.text(file) == "mine")
    let status = try work.iapkg("status", "--format=json").document()
    #expect(status["products"]?[0]?["kept"]?.elements == [.string(file)])
    try refuses(naming: file, saying: "iapkg did not install")
    let rolledBack = try work.iapkg("rollback", product, "--format=json")
    if rolledBack.code == 0 { #expect(try rolledBack.document()["kept"]?.elements == [.string(file)]) }
    let text = try work.iapkg("remove", product, "--force").succeeds().output
    #expect(text.contains("deleted: \(file)\n"))
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `an edit of the backup mark is kept by an update, and stops a removal`() throws {
    try work.iapkg("extract", "1.0.pkg", "--layout", "versioned", "--exclude-from-backup").succeeds()
    let mark = "Documents/\(product)/CACHEDIR.TAG"
    guard work.exists(mark) else { return }  // an attribute on Darwin
    let edited = try work.text(mark).replacing("Signature", with: "signature")
    try work.write(edited, to: mark)
    try refuses(naming: mark, saying: "was modified since the installation")
    let update = ["extract", "2.0.pkg", "--layout", "flat", "--format=json"]
    let document = try work.iapkg(update).succeeds().document()
    let kept = "Documents/.iapkg/kept/\(product)/1/CACHEDIR.TAG"
    #expect(document["kept"]?.elements == [.string(kept)])
    #expect(try work.text(kept) == edited)
  }

  @Test(arguments: ["flat", "versioned"], ["edited by me", "A cover"])
  func `a change of the layout keeps an intact version in place of a damaged previous one, and says so`(
    _ layout: String, _ edit: String
  ) throws {
    for version in ["1.0", "2.0", "3.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout, "--keep", "2").succeeds()
    }
    let folder = layout == "flat" ? "Documents/.iapkg/previous/\(product)" : "Documents/\(product)"
    try work.write(edit, to: "\(folder)/2.0/cover.txt")
    let other = layout == "flat" ? "versioned" : "flat"
    let change = ["extract", "3.0.pkg", "--layout", other]
    let before = try work.snapshot()
    let rehearsed = try work.iapkg(change + ["--dry-run"]).succeeds().output
    #expect(
      rehearsed.contains("damaged, and to be deleted in place of an older version that is intact: 2.0\n"))
    #expect(try work.snapshot() == before)
    let document = try work.iapkg(change + ["--format=json"]).succeeds().document()
    #expect(document["damagedVersions"]?.elements == ["2.0"])
    let kept = "Documents/.iapkg/kept/\(product)/1/2.0/cover.txt"
    #expect(document["kept"]?.elements == [.string(kept)])
    #expect(try work.text(kept) == edit)
    let rollback = try work.iapkg("rollback", product, "--format=json").succeeds().document()
    #expect(rollback["contentVersion"] == "1.0")
  }

  @Test func `an update keeps a damaged version if no older one is intact, and says nothing`() throws {
    try install("1.0", "2.0", layout: "flat")
    try work.write("edited by me", to: "Documents/\(product)/cover.txt")
    try work.write("also edited", to: "Documents/.iapkg/previous/\(product)/1.0/cover.txt")
    let document = try work.iapkg("extract", "3.0.pkg", "--format=json").succeeds().document()
    #expect(document["damagedVersions"] == nil)
    #expect(try work.names(in: "Documents/.iapkg/previous/\(product)") == ["2.0"])
  }
}

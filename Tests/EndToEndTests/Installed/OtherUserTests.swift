import TestSupport
import Testing

/// Commands of a user who may read or change only some of the installed products.
@Suite(.waiting, .enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
struct OtherUserTests {
  private static let product = "Documents/com.example.book"
  private static let previous = "Documents/.iapkg/previous/com.example.book/1.0"
  private static let kept = "Documents/.iapkg/kept/com.example.book"

  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  /// Runs the program as another user.
  private func asOther(_ arguments: String...) throws -> Outcome {
    try work.iapkg(arguments, through: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
  }

  /// Lets other users write to the working and temporary folders.
  private func admitOthers() throws {
    for folder in ["../temporary", "."] { try work.setPermissions(0o777, of: folder) }
  }

  @Test func `an update keeps an unreadable folder of the installed version`() throws {
    try admitOthers()
    try asOther("extract", "1.0.pkg").succeeds()
    try work.setPermissions(0, of: "\(Self.product)/pages")
    for option in ["--dry-run", "--no-sync"] {
      let document = try asOther("extract", "2.0.pkg", "--format=json", option).succeeds().document()
      #expect(document["modified"]?.elements == ["pages"])
    }
    #expect(try work.text("\(Self.previous)/pages/one.txt") == "page one")
    #expect(try work.text("\(Self.product)/pages/one.txt") == "page one")
    // An unreadable folder may have the user's own files, so it is kept when its version is deleted.
    try asOther("extract", "3.0.pkg").succeeds()
    #expect(try work.text("\(Self.kept)/1/1.0/pages/one.txt") == "page one")
    // A removal would delete the folder unread.
    try work.setPermissions(0o600, of: "\(Self.product)/pages")
    try asOther("remove", "com.example.book").fails(66, saying: "pages")
    try asOther("rollback", "com.example.book").succeeds()
  }

  @Test(arguments: ["pages/one.txt", "pages"])
  func `an unreadable file or folder is kept when its version is deleted`(_ path: String) throws {
    try admitOthers()
    for version in ["1.0", "2.0"] { try asOther("extract", "\(version).pkg").succeeds() }
    try work.setPermissions(0, of: "\(Self.previous)/\(path)")
    try asOther("extract", "3.0.pkg").exits(0)
    try asOther("status").exits(0)
    #expect(try work.text("\(Self.kept)/1/1.0/pages/one.txt") == "page one")
  }

  @Test func `a user cannot change the installations of another user`() throws {
    try work.makeFolder("Documents")
    let before = try work.snapshot()
    try asOther("extract", "1.0.pkg").fails(73, saying: "Permission denied")
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "1.0.pkg").succeeds()
    let installed = try work.snapshot()
    try asOther("extract", "1.0.pkg", "--force").fails(73, saying: "user 0")
    try asOther("status", "--verify").succeeds()
    #expect(try work.snapshot() == installed)
  }

  @Test func `status names the folder of another user's kept files`() throws {
    try work.iapkg("extract", "1.0.pkg").succeeds()
    try work.write("mine", to: "\(Self.product)/mine.txt")
    try work.iapkg("extract", "2.0.pkg", "--force").succeeds()
    try work.makeFolder("\(Self.kept)/2/1.0")
    try admitOthers()
    let status = try asOther("status", "--format=json").succeeds().document()
    #expect(status["products"]?[0]?["kept"]?.elements == [.string("\(Self.kept)/1")])
  }

  @Test func `status shows the state of another user's interrupted run, and changes nothing`() throws {
    try work.iapkg("extract", "1.0.pkg").succeeds()
    try work.write("left behind", to: "Documents/.iapkg/staging/file")
    let before = try work.snapshot()
    for permissions in [0o600, 0o644] {
      try work.setPermissions(permissions, of: "Documents/.iapkg/lock")
      try asOther("status", "--verify").succeeds()
    }
    #expect(try work.snapshot() == before)
  }
}

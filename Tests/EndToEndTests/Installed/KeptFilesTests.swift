import TestSupport
import Testing

/// The files of the user that a change keeps: where they are, who can read them, and what the reports say.
@Suite(.waiting) struct KeptFilesTests {
  private static let product = "Documents/com.example.book"
  private static let kept = "Documents/.iapkg/kept/com.example.book"

  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  private func install(_ version: String, _ options: String...) throws -> JSON {
    try work.iapkg(["extract", "\(version).pkg", "--format=json"] + options).succeeds().document()
  }

  @Test(arguments: ["flat", "versioned"], ["", "/pages"])
  func `a file of a private folder is kept where only its user can read it`(layout: String, folder: String)
    throws
  {
    _ = try install("1.0", "--layout", layout)
    let place = layout == "flat" || folder.isEmpty ? Self.product + folder : "\(Self.product)/1.0\(folder)"
    let home = layout == "flat" ? Self.product + folder : "\(Self.product)/1.0\(folder)"
    try work.setPermissions(0o700, of: place)
    try work.write("secret", to: "\(home)/diary")
    _ = try install("2.0", "--force", "--keep", "0")
    #expect(try work.text("\(Self.kept)/1/1.0\(folder)/diary") == "secret")
    #expect(try work.snapshot(Self.kept)["1"] == "folder 700")
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `status of another user names the folder of kept files`() throws {
    _ = try install("1.0")
    try work.write("mine", to: "\(Self.product)/mine.txt")
    _ = try install("2.0", "--force")
    for folder in ["../temporary", "."] { try work.setPermissions(0o777, of: folder) }
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let status = try work.iapkg(["status", "--format=json"], through: other).succeeds().document()
    #expect(status["products"]?[0]?["kept"]?.elements == [.string("\(Self.kept)/1")])
  }
}

import TestSupport
import Testing

/// File systems that are mounted in an installed product.
@Suite(.waiting, .enabled(if: MountNamespace.isPossible, "a file system cannot be mounted here"))
struct MountPointTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBookPackage("1.pkg")
    try work.makeBookPackage("2.pkg", version: "2.0")
    try work.makeBookPackage("3.pkg", version: "3.0")
    try work.makeBookPackage("Game.pkg", product: "com.example.game")
  }

  /// Installs the book in a mount namespace, mounts a file system with a file at `folder` in it, and runs a script.
  private func run(in folder: String, layout: String = "flat", _ script: String) throws -> Outcome {
    try work.run(
      MountNamespace.words + [
        """
        "$0" extract 1.pkg --layout \(layout) --quiet
        mkdir -p "Documents/com.example.book/\(folder)"
        mount -t tmpfs none "Documents/com.example.book/\(folder)"
        echo mine > "Documents/com.example.book/\(folder)/notes"
        \(script)
        [ "$(find Documents -name notes -exec cat {} +)" = mine ] || echo the file is lost
        "$0" extract Game.pkg
        """, BuiltProgram.path,
      ])
  }

  @Test(arguments: ["disk", "pages"])
  func `an update keeps a mounted file system, and other products still install`(_ folder: String) throws {
    let outcome = try run(
      in: folder,
      """
      "$0" extract 2.pkg && exit 1
      "$0" extract 2.pkg --force
      "$0" extract 3.pkg --force
      "$0" status
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!outcome.output.contains("lost") && outcome.errors.contains(folder), "\(outcome)")
    #expect(outcome.output.contains("com.example.game 1.0"), "\(outcome)")
    #expect(!outcome.errors.contains("the next command will clean up"), "\(outcome)")
  }

  @Test(arguments: ["disk", "pages"])
  func `a removal keeps a mounted file system, and other products still install`(_ folder: String) throws {
    let outcome = try run(in: folder, #""$0" remove com.example.book --force"#)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!outcome.output.contains("lost") && outcome.errors.contains("/\(folder)"), "\(outcome)")
    #expect(outcome.errors.contains("busy") && outcome.errors.contains(".iapkg/undeleted-1"), "\(outcome)")
    #expect(!outcome.errors.contains("the next command will clean up"), "\(outcome)")
  }

  @Test func `a mounted version is kept in place, and other products still install`() throws {
    let outcome = try run(
      in: "1.0", layout: "versioned",
      """
      "$0" extract 2.pkg --force
      "$0" extract 3.pkg --force
      """)
    #expect(outcome.code == 0 && !outcome.output.contains("lost"), "\(outcome)")
    #expect(!outcome.errors.contains("the next command will clean up"), "\(outcome)")
  }
}

/// The prefix that runs a script in its own mount namespace.
private enum MountNamespace {
  static let words = ["unshare", "--mount", "sh", "-ec"]
  static let isPossible =
    Machine.isRoot && Machine.has("unshare")
    && (try? Workspace().run(words + ["mkdir disk && mount -t tmpfs none disk"]).code) == 0
}

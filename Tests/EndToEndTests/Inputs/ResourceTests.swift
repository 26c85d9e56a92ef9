import Foundation
import TestSupport
import Testing

/// A full or failing disk: exit code 74, a clear message, and nothing left behind.
@Suite(.waiting) struct ResourceTests {
  private static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")
  /// The prefix that runs a program with files limited to eight blocks of 512 bytes.
  private static let limited = ["/bin/sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\""]

  @Test(.enabled(if: hasFullDevice, "there is no /dev/full"))
  func `a failed write to standard output exits with 74`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    for arguments in [
      ["info", "Book.pkg"], ["validate", "Book.pkg"], ["--help"], ["info", "--format=json", "x"],
    ] {
      try work.iapkg(arguments, output: "/dev/full").fails(74, saying: "cannot write to standard output")
    }
  }

  @Test(.enabled(if: Machine.has("prlimit"), "needs prlimit"))
  func `with too few descriptors no unfinished output is left`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    let before = try work.snapshot()
    var errors = 0
    for limit in 4...9 {
      for arguments in [["create", "Book", "-o", "New.pkg"], ["bump", "Book.pkg", "-o", "New.pkg"]] {
        let outcome = try work.iapkg(arguments, through: ["prlimit", "--nofile=\(limit)"])
        if outcome.code == 0 { try work.remove("New.pkg") } else { errors += 1 }
        #expect(try work.snapshot() == before, "\(limit): \(arguments)")
      }
    }
    #expect(errors > 0)
  }

  @Test func `a file size limit exits with 74`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write(Noise.bytes(100_000), to: "Book/Contents/noise")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let before = try work.snapshot()
    try work.iapkg("create", "Book", "-o", "New.pkg", through: Self.limited).fails(
      74, saying: "File too large")
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--force", through: Self.limited).fails(74)
    try work.iapkg("bump", "Book.pkg", through: Self.limited).fails(74, saying: "File too large")
    try work.iapkg("extract", "Book.pkg", through: Self.limited).fails(74, saying: "File too large")
    #expect(try work.snapshot() == before)
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.iapkg("extract", "Old.pkg").succeeds()
    let installed = try work.snapshot()
    try work.iapkg("extract", "Book.pkg", through: Self.limited).fails(74, saying: "File too large")
    #expect(try work.snapshot() == installed)
  }

  @Test(.enabled(if: Machine.has("prlimit"), "needs prlimit"))
  func `an overview that cannot be written is reported with the finished pages`() throws {
    let work = try Workspace()
    // So many products with such long names that the overview is larger than each page.
    for number in 10..<90 {
      let product = "com.example." + String(repeating: "a", count: 80) + "\(number)"
      try work.makeBook("products/\(number)", product: product)
    }
    try work.iapkg("report", "products", "-o", "whole/").succeeds()
    let limit = try work.bytes("whole/index.html").count - 1
    let outcome = try work.iapkg(
      "report", "products", "-o", "pages/", through: ["prlimit", "--fsize=\(limit)"])
    outcome.exits(
      74, saying: "pages/index.html", "File too large", "80 of 81 were written: pages/com.example.")
    #expect(!outcome.output.contains("Wrote"))
    #expect(try work.names(in: "pages") == work.names(in: "whole").subtracting(["index.html"]))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user cannot mount a small disk"))
  func `a full disk exits with 74`() throws {
    let work = try Workspace()
    try work.makeBook()
    for name in ["a", "b", "c"] { try work.write(Noise.bytes(400_000), to: "Book/Contents/\(name)") }
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let disk = try SmallDisk(in: work, megabytes: 1)
    try work.iapkg("create", "Book", "-o", "disk/Book.pkg").fails(74, saying: "No space left on device")
    try work.iapkg("extract", "Book.pkg", "--into", "disk")
      .fails(74, saying: "the content needs ", ", and the file system has 1048576 left")
    try work.iapkg("extract", "Book.pkg", "--into", "disk/Documents").fails(74)
    #expect(try work.names(in: "disk") == [])
    disk.unmount()
  }
}

/// A small in-memory file system, if the user may mount one.
private final class SmallDisk {
  private let work: Workspace
  private var isMounted = true

  static let isPossible: Bool = {
    guard let work = try? Workspace(), let disk = try? SmallDisk(in: work, megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()

  init(in work: Workspace, megabytes: Int) throws {
    self.work = work
    try work.makeFolder("disk")
    let words = ["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", work.place("disk")]
    guard try work.run(words).code == 0 else { throw CannotMount() }
  }

  deinit { unmount() }

  func unmount() {
    if isMounted { _ = try? work.run(["umount", work.place("disk")]) }
    isMounted = false
  }

  private struct CannotMount: Error {}
}

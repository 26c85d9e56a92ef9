import Foundation
import TestSupport
import Testing

/// Commands on exFAT, which ignores letter case and has no exclusive renames, hard links or permissions.
@Suite(
  .waiting,
  .enabled(
    if: ExFAT.isPossible, "exFAT cannot be mounted here: that requires a superuser, a loop device and FUSE"))
struct ExFATTests {
  @Test func `commands create new files, and replace none without --force`() throws {
    let disk = try ExFAT()
    defer { disk.unmount() }
    let work = disk.work
    let inDisk = ["sh", "-c", "cd disk && exec \"$0\" \"$@\""]
    try work.iapkg("init", "Book", "--product-id", "a", through: inDisk).succeeds()
    try work.iapkg("init", "x/y", "--product-id", "a", "--parents", through: inDisk).succeeds()
    try work.write("x", to: "disk/Book/Contents/x")
    try work.iapkg("create", "Book", "-o", "1.pkg", through: inDisk).exits(0)
    try work.iapkg("create", "Book", "-o", "1.pkg", through: inDisk).fails(73, saying: "1.pkg exists")
    try work.iapkg("create", "Book", "-o", "1.pkg", "--force", through: inDisk).exits(0)
    try work.iapkg("validate", "1.pkg", "-o", "report", through: inDisk).exits(0)
    try work.iapkg("bump", "1.pkg", "-o", "2.pkg", through: inDisk).succeeds()
    try work.iapkg("bump", "1.pkg", through: inDisk).succeeds()
    try work.iapkg("bump", "Book", through: inDisk).succeeds()
    try work.iapkg("extract", "1.pkg", through: inDisk).exits(0)
    try work.write("#!/bin/sh\n", to: "disk/Book/Contents/x")
    let report = try work.iapkg("validate", "Book", through: inDisk).exits(0).output
    #expect(report.contains("[file/script]") && !report.contains("file/executable-permission"))
    #expect(try work.names(in: "disk") == ["Book", "x", "1.pkg", "2.pkg", "report", "Documents"])
    #expect(try work.text("disk/Documents/a/x") == "x")
  }

  @Test func `a product is refused while another one has its identifier in other letter case`() throws {
    let disk = try ExFAT()
    defer { disk.unmount() }
    let work = disk.work
    for version in ["1.0", "2.0"] {
      try work.makeBookPackage("\(version).pkg", product: "com.Ex.P", version: version)
      try work.iapkg("extract", "\(version).pkg", "--into", "disk/D").exits(0)
    }
    try work.makeBookPackage("Other.pkg", product: "COM.EX.P", version: "4.0")
    let extract = ["extract", "Other.pkg", "--into", "disk/D"]
    let before = try work.snapshot("disk/D")
    for options in [[], ["--force"], ["--dry-run"]] {
      try work.iapkg(extract + options).fails(73, saying: "COM.EX.P", "use iapkg remove com.Ex.P first")
      #expect(try work.snapshot("disk/D") == before)
    }
    try work.run(["rm", "-r", "disk/D/com.Ex.P"]).exits(0)
    try work.iapkg(extract).fails(73, saying: "use iapkg remove com.Ex.P first")
    try work.iapkg("remove", "com.Ex.P", "--into", "disk/D").exits(0)
    try work.write("mine", to: "disk/D/com.ex.p/mine.txt")
    for options in [["--force"], ["--force", "--dry-run"]] {
      try work.iapkg(extract + options).fails(73, saying: "disk/D/com.ex.p exists", "COM.EX.P")
    }
    #expect(try work.text("disk/D/com.ex.p/mine.txt") == "mine")
  }
}

/// A mounted image of an exFAT file system.
private struct ExFAT {
  let work: Workspace
  private let device: String

  static let isPossible = {
    guard Machine.isRoot, Machine.has("mount.exfat-fuse"), Machine.has("losetup"), Machine.has("mkfs.exfat")
    else { return false }
    guard let disk = try? ExFAT() else { return false }
    disk.unmount()
    return true
  }()

  init() throws {
    let work = try Workspace()
    try work.makeSparseFile("image", bytes: 16 << 20)
    try work.makeFolder("disk")
    _ = try Self.run("mkfs.exfat", "image", in: work)
    let device = try Self.run("losetup", "--find", "--show", "image", in: work)
      .trimmingCharacters(in: .newlines)
    do {
      _ = try Self.run("mount.exfat-fuse", device, "disk", in: work)
    } catch {
      _ = try? Self.run("losetup", "--detach", device, in: work)
      throw error
    }
    (self.work, self.device) = (work, device)
  }

  private static func run(_ words: String..., in work: Workspace) throws -> String {
    let outcome = try work.run(words)
    guard outcome.code == 0 else { throw CannotBeMounted() }
    return outcome.output
  }

  func unmount() {
    _ = try? work.run(["umount", "disk"])
    _ = try? work.run(["losetup", "--detach", device])
  }

  private struct CannotBeMounted: Error {}
}

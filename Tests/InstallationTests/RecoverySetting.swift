import ContentPackage
import Foundation
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// A `Documents` folder in which version 1.0 of a product is installed.
final class RecoverySetting {
  private let folder: TemporaryFolder
  private(set) var path: String
  let product: ProductIdentifier
  var context = WorkContext()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.place("Documents")
    product = try #require(ProductIdentifier("com.example.book"))
    try withFolder(for: .installing) { folder in
      try layOut("1.0", in: folder)
      try folder.apply(record("1.0", previous: nil), replacing: .product, from: .package)
    }
  }

  var access: DocumentsAccess { DocumentsAccess(path: path, isDurable: false, context: context) }

  @discardableResult
  func withFolder<Result>(
    for purpose: DocumentsFolder.Purpose, _ body: (borrowing DocumentsFolder) throws -> Result
  ) throws -> Result {
    try #require(try DocumentsFolder.withLock(access, for: purpose, body))
  }

  private func installed(_ version: String) throws -> InstalledVersion {
    let content = Array(version.utf8)
    let item = InstalledItem.file(
      EntryPath("version"), size: Int64(content.count), ContentDigest(of: content, .standard))
    return try InstalledVersion(
      contentVersion: #require(ContentVersion(version)), items: InstalledItems([item], .standard))
  }

  func record(_ version: String, previous: String?) throws -> InstallationRecord {
    InstallationRecord(
      product, layout: .flat, isExcludedFromBackup: false, installed: try installed(version),
      previous: try previous.map { [try installed($0)] } ?? [])
  }

  func place(_ name: String) -> String { "\(path)/\(name)" }
  var live: String { place("com.example.book") }
  var staged: String { place(".iapkg/staging") }
  var displaced: String { place(".iapkg/displaced") }
  var previous: String { place(".iapkg/previous/com.example.book/1.0") }

  /// Stages a version, whose number is in a file, and stops there.
  func stage(_ version: String) throws {
    try FileManager.default.createDirectory(atPath: staged, withIntermediateDirectories: false)
    try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
  }

  /// Creates more files in a folder than a removal deletes after the cleanup time.
  func fill(_ folder: String) throws {
    for number in 0..<1200 {
      try #require(FileManager.default.createFile(atPath: "\(folder)/\(number)", contents: nil))
    }
  }

  /// Simulates a signal that leaves no time for cleanup; with false, ends the simulation.
  func hurry(_ isHurried: Bool = true) {
    let cancellation = Cancellation(cleanupTime: .zero)
    if isHurried { cancellation.cancel(signal: 15) }
    context = WorkContext(cancellation: cancellation)
  }

  private func layOut(_ version: String, in folder: borrowing DocumentsFolder) throws {
    _ = try folder.makeStaging()
    try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
  }

  /// Writes the pending record that precedes the step.
  func writePending(
    _ version: String, _ placement: ProductChange.Placement = .exchange, keeping previous: String? = "1.0"
  ) throws {
    var record = try record(version, previous: previous)
    record.change = ProductChange(
      target: .product, source: .package, placement: placement, incoming: try inode(staged),
      outgoing: try inode(live), keptNumber: 1)
    try Data(record.text()).write(to: URL(fileURLWithPath: place(".iapkg/pending")))
  }

  private func inode(_ path: String) throws -> UInt64? {
    try FileSystem.status(of: path, followingLinks: false)?.identity.inode
  }

  func move(_ from: String, _ to: String) throws {
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }

  /// Replaces the folder with a copy, in which every folder has another inode number.
  func replaceWithCopy() throws {
    let copy = path + "-copy"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try FileManager.default.removeItem(atPath: path)
    path = copy
  }

  func swap() throws {
    try move(live, place("aside"))
    try move(staged, live)
    try move(place("aside"), staged)
  }

  /// Returns the version in a folder.
  func version(in folder: String) -> String? {
    try? String(contentsOfFile: folder + "/version", encoding: .utf8)
  }

  /// Opens the folder, which recovers it, and returns the recorded version.
  func recover(leaving others: Set<String> = []) throws -> String? {
    let record = try withFolder(for: .changing) { try $0.record(of: product) }
    let left = Set(try FileManager.default.contentsOfDirectory(atPath: place(".iapkg")))
    #expect(left.isSubset(of: others.union(["lock", "previous", "records"])))
    return record?.installed?.contentVersion.text
  }
}

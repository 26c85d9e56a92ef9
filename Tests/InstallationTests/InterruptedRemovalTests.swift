import ContentPackage
import Foundation
import SafeFiles
import Synchronization
import TestSupport
import Testing

@testable import Installation

/// Files that appear or change after `remove` has compared a product, and removals that are completed by the next run.
struct InterruptedRemovalTests {
  private static let live = "Documents/com.example.book"
  private static let work = "Documents/.iapkg"
  private static let kept = "Documents/.iapkg/kept/com.example.book/1"

  private let place: BookPlace
  private let notices = Notices()

  init() throws { place = try BookPlace() }

  /// The notices of all runs, as words.
  private final class Notices: Sendable {
    private let words = Mutex<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func add(_ notice: DocumentsNotice) {
      let word =
        switch notice {
        case .completed(_, let version): "completed \(version ?? "removal")"
        case .filesKept: "kept"
        case .undone: "undone"
        default: "other"
        }
      words.withLock { $0.append(word) }
    }
  }

  private var access: DocumentsAccess {
    let notices = notices
    return DocumentsAccess(path: place.documents, isDurable: false) { notices.add($0) }
  }

  private func install(_ layout: InstallationLayout, _ versions: String...) throws {
    for version in versions {
      try place.write("text \(version)", to: "Book/Chapter/Text.txt")
      let installer = PackageInstaller(options: .init(layout: layout), access: access)
      #expect(try installer.install(place.makePackage(version)).outcome == .installed)
    }
  }

  private func removal(_ layout: InstallationLayout) -> InstallationRecord {
    InstallationRecord(place.product, layout: layout, isExcludedFromBackup: false, installed: nil)
  }

  /// Performs the step and the cleanup of a removal, without the comparison before.
  private func remove(_ layout: InstallationLayout, forced isForced: Bool = false) throws -> [String] {
    let deleted = try DocumentsFolder.withLock(access, for: .changing) { folder in
      try folder.apply(removal(layout), replacing: .product, from: .nothing, forced: isForced)
    }
    return Array(deleted.flatMap { $0 } ?? LocatedPaths())
  }

  /// Announces a removal, and with `moving` performs its step; then stops, as if the process was killed.
  private func interrupt(_ layout: InstallationLayout, moving isMoved: Bool = true) throws {
    let status = try FileSystem.status(of: place.folder.place(Self.live), followingLinks: false)
    var pending = removal(layout)
    pending.change = ProductChange(
      target: .product, source: .nothing, placement: .exchange, incoming: nil,
      outgoing: status?.identity.inode, keptNumber: 1)
    let record = pending
    _ = try DocumentsFolder.withLock(access, for: .changing) { try $0.writePending(record) }
    guard isMoved else { return }
    try FileManager.default.moveItem(
      atPath: place.folder.place(Self.live), toPath: place.folder.place("\(Self.work)/displaced"))
  }

  /// Lets the next run recover, and returns whether the product is still installed.
  private func recover() throws -> Bool {
    let record = try DocumentsFolder.withLock(access, for: .changing) { try $0.record(of: place.product) }
    return record.flatMap { $0 } != nil
  }

  /// Replaces the folder with a copy, in which every item has another inode number.
  private func replaceWithCopy() throws {
    let copy = place.folder.place("Copy")
    try FileManager.default.copyItem(atPath: place.documents, toPath: copy)
    try place.folder.remove("Documents")
    try FileManager.default.moveItem(atPath: copy, toPath: place.documents)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try place.folder.bytes(name), as: UTF8.self)
  }

  @Test(arguments: InstallationLayout.allCases)
  func `files that appear or change after the comparison are kept`(_ layout: InstallationLayout) throws {
    try install(layout, "1.0", "1.1")
    let isFlat = layout == .flat
    let current = isFlat ? Self.live : "\(Self.live)/1.1"
    let previous = isFlat ? "\(Self.work)/previous/com.example.book/1.0" : "\(Self.live)/1.0"
    try place.write("mine", to: "\(current)/mine")
    try place.write("TEXT 1.1", to: "\(current)/Chapter/Text.txt")
    try place.write("mine too", to: "\(previous)/mine")
    #expect(try remove(layout) == [])
    #expect(!place.folder.has(Self.live))
    #expect(try text("\(Self.kept)/1.1/mine") == "mine")
    #expect(try text("\(Self.kept)/1.1/Chapter/Text.txt") == "TEXT 1.1")
    #expect(try text("\(Self.kept)/1.0/mine") == "mine too")
    #expect(try place.folder.names(Self.work) == ["kept", "lock"])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a forced removal lists the files that appeared after the comparison, and deletes them`(
    _ layout: InstallationLayout
  ) throws {
    try install(layout, "1.0")
    try place.write("mine", to: "\(Self.live)/mine")
    #expect(try remove(layout, forced: true) == ["\(place.documents)/com.example.book/mine"])
    #expect(try place.folder.names("Documents") == [])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a run that completes a removal keeps files that appeared after the comparison`(
    _ layout: InstallationLayout
  ) throws {
    try install(layout, "1.0")
    let current = layout == .flat ? Self.live : "\(Self.live)/1.0"
    try place.write("mine", to: "\(current)/mine")
    try interrupt(layout)
    #expect(try !recover())
    #expect(try text("\(Self.kept)/1.0/mine") == "mine")
    #expect(!place.folder.has("\(Self.work)/displaced") && !place.folder.has(Self.live))
    #expect(notices.all == ["completed removal", "kept"])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `remove that completes a removal returns the kept files`(_ layout: InstallationLayout) throws {
    try install(layout, "1.0")
    try place.write("mine", to: "\(Self.live)/mine")
    try interrupt(layout)
    let change = try InstalledProducts(access).remove(place.product)
    let folder = layout == .flat ? "1.0/" : ""
    #expect(Array(change.kept) == [place.folder.place("\(Self.kept)/\(folder)mine")])
    #expect(change.before == nil && change.deleted.isEmpty)
  }

  @Test(arguments: ["file", "folder", "link"], [false, true])
  func `an item that took the name of a removed product is not the product`(
    _ kind: String, _ isCopied: Bool
  ) throws {
    for (layout, version) in [(InstallationLayout.flat, "1.0"), (InstallationLayout.versioned, "1.1")] {
      try install(layout, version)
      try interrupt(layout)
      switch kind {
      case "file": try place.write("mine", to: Self.live)
      case "folder": try place.write("mine", to: "\(Self.live)/mine")
      default:
        try FileManager.default.createSymbolicLink(
          atPath: place.folder.place(Self.live), withDestinationPath: "mine")
      }
      if isCopied { try replaceWithCopy() }
      #expect(try !recover())
      #expect(notices.all.last == "completed removal")
      #expect(try place.folder.names("Documents") == ["com.example.book"])
      if kind != "link" { #expect(try text(kind == "file" ? Self.live : "\(Self.live)/mine") == "mine") }
      try place.folder.remove(Self.live)
    }
  }

  @Test func `a removal whose folder was deleted is completed beside an item with its name`() throws {
    try install(.flat, "1.0")
    try interrupt(.flat)
    try place.folder.remove("\(Self.work)/displaced")
    try place.folder.remove("\(Self.work)/records/com.example.book")
    try place.write("mine", to: "\(Self.live)/mine")
    #expect(try !recover())
    #expect(notices.all == ["completed removal"])
    #expect(try text("\(Self.live)/mine") == "mine")
  }

  @Test func `a removal whose folder was compared is completed beside an item with its name`() throws {
    try install(.flat, "1.0")
    try interrupt(.flat)
    try FileManager.default.moveItem(
      atPath: place.folder.place("\(Self.work)/displaced"), toPath: place.folder.place("\(Self.work)/trash"))
    try place.write("mine", to: "\(Self.live)/mine")
    #expect(try !recover())
    #expect(notices.all == ["completed removal"])
    #expect(try text("\(Self.live)/mine") == "mine")
    #expect(!place.folder.has("\(Self.work)/trash"))
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a removed folder without a record is kept completely`(_ layout: InstallationLayout) throws {
    try install(layout, "1.0")
    try interrupt(layout)
    try place.write("mine", to: "\(Self.work)/displaced/mine")
    try place.folder.remove("\(Self.work)/records/com.example.book")
    #expect(try !recover())
    #expect(try text("\(Self.kept)/com.example.book/mine") == "mine")
  }

  @Test func `an item with the name of an outdated version is kept, and blocks nothing`() throws {
    try install(.flat, "1.0", "1.1")
    try place.write("mine", to: "\(Self.work)/outdated-1.0")
    try install(.flat, "1.2")
    #expect(try text("\(Self.kept)/outdated-1.0") == "mine")
    try install(.flat, "1.3")
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a removal that did not take place is undone`(_ layout: InstallationLayout) throws {
    try install(layout, "1.0")
    try interrupt(layout, moving: false)
    #expect(try recover())
    #expect(notices.all == ["undone"])
    let products = try InstalledProducts(access).status(verifying: true).products
    #expect(products.map(\.inspection.isIntact) == [true])
  }
}

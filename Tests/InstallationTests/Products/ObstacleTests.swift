import PackageForge
import SafeFiles
import TestSupport
import Testing

@testable import Installation

/// Obstacles to an installation: an error, and no changes.
struct ObstacleTests {
  /// An obstacle, and the error about it.
  struct Obstacle: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let summary: String
    let make: @Sendable (BookPlace) throws -> Void
    /// The path of the user's item once a forced installation has kept it; nil if force does not overcome the obstacle.
    let kept: String?

    init(
      _ testDescription: String, _ summary: String, kept: String? = nil,
      make: @escaping @Sendable (BookPlace) throws -> Void
    ) {
      self.testDescription = testDescription
      self.summary = summary
      self.kept = kept
      self.make = make
    }

    static let all = [
      Obstacle("Documents is a link", "unsuitable: Documents: a symbolic link") {
        try $0.folder.makeFolder("Elsewhere")
        try $0.folder.makeLink("Documents", to: "Elsewhere")
      },
      Obstacle("Documents is a link that leads nowhere", "unsuitable: Documents: a symbolic link") {
        try $0.folder.makeLink("Documents", to: "nowhere")
      },
      Obstacle("Documents is a file", "unsuitable: Documents: a regular file") {
        try $0.write("mine", to: "Documents")
      },
      Obstacle(
        "the product is a link", "unmanaged: \(BookPlace.live): a symbolic link", kept: "com.example.book"
      ) {
        try $0.folder.makeFolder("Documents")
        try $0.write("mine", to: "Elsewhere/mine.txt")
        try $0.folder.makeLink(BookPlace.live, to: "../Elsewhere")
      },
      Obstacle(
        "the product is a file", "unmanaged: \(BookPlace.live): a regular file", kept: "com.example.book"
      ) { try $0.write("mine", to: BookPlace.live) },
      Obstacle(
        "the product holds other files", "unmanaged: \(BookPlace.live): a folder",
        kept: "com.example.book/mine.txt"
      ) { try $0.write("mine", to: "\(BookPlace.live)/mine.txt") },
      Obstacle(
        "files were added to the product", "unrecorded: \(BookPlace.live)/mine.txt", kept: "0.1/mine.txt"
      ) {
        try $0.install("0.1")
        try $0.write("mine", to: "\(BookPlace.live)/mine.txt")
      },
      Obstacle(".iapkg is a link", "unsuitable: Documents/.iapkg: a symbolic link") {
        try $0.folder.makeFolder("Documents")
        try $0.folder.makeFolder("Elsewhere")
        try $0.folder.makeLink("Documents/.iapkg", to: "../Elsewhere")
      },
      Obstacle(".iapkg is a file", "unsuitable: Documents/.iapkg: a regular file") {
        try $0.write("mine", to: "Documents/.iapkg")
      },
      Obstacle("the records are a link", "unsuitable: Documents/.iapkg/records: a symbolic link") {
        try $0.folder.makeFolder("Documents/.iapkg")
        try $0.folder.makeFolder("Elsewhere")
        try $0.folder.makeLink("Documents/.iapkg/records", to: "../../Elsewhere")
      },
      Obstacle("the lock is a link", "cannot lock Documents/.iapkg/lock") {
        try $0.folder.makeFolder("Documents/.iapkg")
        try $0.folder.makeLink("Documents/.iapkg/lock", to: "elsewhere")
      },
      Obstacle("the lock is a folder", "cannot lock Documents/.iapkg/lock") {
        try $0.folder.makeFolder("Documents/.iapkg/lock")
      },
      Obstacle(
        "a swap has left a folder without a record",
        "unsuitable: Documents/.iapkg/displaced: a folder without a record"
      ) {
        try $0.install("0.1")
        try $0.write("mine", to: "Documents/.iapkg/displaced/mine.txt")
      },
    ]
  }

  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @Test(arguments: Obstacle.all)
  func `an obstacle is refused`(_ obstacle: Obstacle) throws {
    let package = try place.forge("1.0")
    try obstacle.make(place)
    let before = try place.folder.snapshot()
    for isForced in obstacle.kept == nil ? [false, true] : [false] {
      let error = #expect(throws: (any Error).self) {
        try place.installer(.init(force: isForced)).install(package)
      }
      #expect(place.summary(of: error) == obstacle.summary)
      #expect(try place.folder.snapshot() == before)
    }
  }

  @Test(arguments: Obstacle.all.filter { $0.kept != nil })
  func `an obstacle yields to force, which keeps the files in every update`(_ obstacle: Obstacle) throws {
    try obstacle.make(place)
    let before = try place.folder.snapshot()
    let own = try #require(before["\(BookPlace.live)/mine.txt"] ?? before[BookPlace.live])
    let kept = ["\(BookPlace.kept)/\(obstacle.kept ?? "")"]
    for version in ["1.0", "2.0", "3.0"] {
      #expect(try place.relative(place.install(version, with: .init(force: true)).kept) == kept)
      #expect(try place.folder.names(BookPlace.live) == ["cover.txt", "pages"])
      #expect(try place.folder.snapshot()[kept[0]] == own)
    }
    #expect(try place.folder.snapshot("Elsewhere")["mine.txt"] == before["Elsewhere/mine.txt"])
    try place.products.rollBack(place.product)
    let status = try place.status()
    #expect(status.inspection.isIntact && place.relative(status.kept) == kept)
  }

  @Test(arguments: Obstacle.all.filter { $0.kept != nil })
  func `a removal deletes kept files only if forced, and lists them`(_ obstacle: Obstacle) throws {
    try obstacle.make(place)
    let kept = try place.relative(place.install("1.0", with: .init(force: true)).kept)
    let before = try place.folder.snapshot()
    let error = #expect(throws: InstallationError.self) { try place.remove() }
    #expect(place.summary(of: error) == "kept: \(BookPlace.kept)/\(obstacle.kept ?? "")")
    #expect(try place.folder.snapshot() == before)
    #expect(try place.relative(place.remove(force: true).deleted) == kept)
    #expect(try place.folder.names("Documents") == [])
  }

  @Test func `an empty folder with the name of the product is not an obstacle`() throws {
    try place.folder.makeFolder(BookPlace.live)
    try place.install("1.0")
    #expect(try place.status().inspection.isIntact)
  }

  @Test func `a link to Documents is followed if the path ends in a slash`() throws {
    try place.folder.makeFolder("Elsewhere")
    try place.folder.makeLink("Documents", to: "Elsewhere")
    let access = DocumentsAccess(path: "\(place.documents)/", isDurable: false)
    #expect(try PackageInstaller(access: access).install(place.forge("1.0")).outcome == .installed)
    #expect(try place.folder.names("Elsewhere") == [".iapkg", "com.example.book"])
  }

  @Test func `missing folders above Documents are created only if requested, and not for a rejected package`()
    throws
  {
    func install(_ package: String, parents: Bool) throws -> PackageInstaller.Outcome {
      let access = DocumentsAccess(
        path: place.folder.place("a/b/Documents"), makesParents: parents, isDurable: false)
      return try PackageInstaller(access: access).install(package).outcome
    }
    let bad = try place.forge("0.9") { $0["Contents/pages/one.txt"].crc32 ^= 1 }
    let good = try place.forge("1.0")
    let before = try place.folder.snapshot()
    let error = #expect(throws: InstallationError.self) { try install(good, parents: false) }
    guard case .parentMissing = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try install(bad, parents: true) == .invalid)
    #expect(try place.folder.snapshot() == before)
    #expect(try install(good, parents: true) == .installed)
    #expect(try place.folder.names("a/b/Documents/com.example.book") == ["cover.txt", "pages"])
  }

  @Test func `Documents is not created in place of a folder above it`() throws {
    let package = try place.forge("1.0")
    try place.write("file", to: "file")
    let before = try place.folder.snapshot()
    for parents in [false, true] {
      let error = #expect(throws: FileError.self) {
        let access = DocumentsAccess(
          path: place.folder.place("file/Documents"), makesParents: parents, isDurable: false)
        return try PackageInstaller(access: access).install(package)
      }
      #expect(place.summary(of: error)?.hasPrefix("cannot create file") == true)
    }
    #expect(try place.folder.snapshot() == before)
  }

  @Test(arguments: [.zero, .milliseconds(1)] as [Duration])
  func `a folder that another process has locked is refused after the timeout`(_ timeout: Duration) throws {
    let package = try place.forge("1.0")
    let access = DocumentsAccess(path: place.documents, lockTimeout: timeout, isDurable: false)
    let busy = try DocumentsFolder.withLock(place.access, for: .installing) { _ in
      #expect(throws: DocumentsBusy.self) { try PackageInstaller(access: access).install(package) }
    }
    #expect(busy??.path == place.documents)
    #expect(try PackageInstaller(access: access).install(package).outcome == .installed)
  }
}

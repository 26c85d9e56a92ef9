import PackageForge
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The content of a package in `Documents`.
struct UnpackedContentTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @Test func `the files, folders and links of a package are installed unchanged, and nothing else`() throws {
    let package = try place.forge("1.0") {
      $0.add(.file("Contents/a/b/c/d.txt", "deep"))
      $0.add(.folder("Contents/empty/folder/"))
      $0.add(.link("Contents/a/up", to: "../cover.txt"))
      $0.add(.link("Contents/pages/here", to: "."))
    }
    let result = try place.installer().install(package)
    #expect(result.outcome == .installed && result.files == 5 && result.fileBytes == 35)
    #expect(
      try place.folder.snapshot(BookPlace.live) == [
        "cover.txt": "file 644 a cover", "pages": "folder 755", "pages/one.txt": "file 644 page of 1.0",
        "pages/here": "link to .", "a": "folder 755", "a/up": "link to ../cover.txt", "a/b": "folder 755",
        "a/b/c": "folder 755", "a/b/c/d.txt": "file 644 deep", "empty": "folder 755",
        "empty/folder": "folder 755",
      ])
    #expect(try place.folder.names("Documents") == [".iapkg", "com.example.book"])
    let status = try place.status()
    #expect(status.layout == .flat && status.inspection.isIntact)
  }

  @Test(arguments: ["caf\u{E9}.txt", "cafe\u{301}.txt"])
  func `names that are not ASCII are kept, and the check of the file system leaves nothing`(_ name: String)
    throws
  {
    let package = try place.forge("1.0") { $0.add(.file("Contents/\(name)", "x")) }
    try place.folder.makeFolder("Documents")
    #expect(try place.installer().dryRun(package).outcome == .installed)
    #expect(try place.folder.names("Documents") == [])
    #expect(try place.installer().install(package).outcome == .installed)
    #expect(try place.folder.names(BookPlace.work) == ["lock", "records"])
    #expect(try place.status().inspection.isIntact)
    try place.folder.remove("\(BookPlace.live)/cover.txt")
    #expect(try place.installer().repair(package).outcome == .repaired([EntryPath("cover.txt")]))
    #expect(try place.status().inspection.isIntact)
  }

  @Test(arguments: ["com.example.book.more", "COM.EXAMPLE.BOOK"])
  func `products live side by side, also in other letter case if the file system allows it`(
    _ other: String
  ) throws {
    try place.folder.makeFolder("folder")
    guard other.lowercased() == other || !place.folder.has("FOLDER") else { return }
    try place.install("1.0")
    let first = try place.folder.snapshot(BookPlace.live)
    #expect(try place.installer().install(place.forge("2.0", product: other)).outcome == .installed)
    #expect(try place.folder.snapshot(BookPlace.live) == first)
    #expect(try Set(place.folder.names("Documents")) == [".iapkg", "com.example.book", other])
    let products = try place.products.status(verifying: true).products
    #expect(products.map(\.inspection.isIntact) == [true, true])
  }

  /// A defect that is found before unpacking or during it, or that only this installer rejects.
  enum Defect: String, CaseIterable {
    case path, checksum, code, script

    func spoil(_ archive: inout ForgedArchive) {
      switch self {
      case .path: archive.add(.file("Contents/../../evil", "x"))
      case .checksum: archive["Contents/pages/one.txt"].crc32 ^= 1
      case .code:
        archive.add(.file("Contents/code", "\u{7F}ELF\u{2}\u{1}\u{1}" + String(repeating: "\0", count: 60)))
      case .script: archive.add(.file("Contents/script.js", "x"))
      }
    }
  }

  @Test(arguments: Defect.allCases, [nil, [], ["0.9"]] as [[String]?])
  func `a rejected package leaves no trace`(_ defect: Defect, _ installed: [String]?) throws {
    let package = try place.forge("1.0") { defect.spoil(&$0) }
    if installed != nil { try place.folder.makeFolder("Documents") }
    for version in installed ?? [] { try place.install(version) }
    let before = try place.folder.snapshot()
    for isForced in [false, true] {
      let installer = PackageInstaller(options: .init(force: isForced), access: place.access) { $0.isEmpty }
      #expect(try installer.dryRun(package).outcome == .invalid)
      #expect(try installer.install(package).outcome == .invalid)
      #expect(try place.folder.snapshot() == before)
    }
  }
}

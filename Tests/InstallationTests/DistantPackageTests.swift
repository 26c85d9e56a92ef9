import ContentPackage
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// Packages whose bytes are not in a file are read, checked and installed like any other.
struct DistantPackageTests {
  private let folder: TemporaryFolder
  private let access: DocumentsAccess

  init() throws {
    folder = try TemporaryFolder()
    access = DocumentsAccess(
      path: folder.place("Documents"), isDurable: false, context: WorkContext(jobs: 2))
  }

  private static let limits = Limits()

  /// A package with a large file of each compression method.
  private static let archive: [UInt8] = {
    var archive = ForgedArchive.book()
    archive.add(.file("Contents/sea.txt", String(repeating: "water ", count: 200_000), method: .deflated))
    archive.add(.file("Contents/land.txt", String(repeating: "stone ", count: 200_000)))
    archive.add(.link("Contents/shore", to: "sea.txt"))
    return archive.bytes()
  }()

  private func open(_ bytes: any ByteSource) throws -> ContentReview {
    try ContentReview(of: PackageSource.open(bytes), limits: Self.limits)
  }

  private func install(_ bytes: any ByteSource) throws -> PackageInstaller.Result {
    try PackageInstaller(access: access).install(open(bytes), named: bytes.name)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes("Documents/com.example.book/\(name)"), as: UTF8.self)
  }

  @Test func `a distant package is validated`() throws {
    let review = try PackageValidator().review(of: PackageSource.open(DistantBytes(Self.archive)))
    #expect(review.findings.isEmpty)
    #expect(review.contentInfo?.contentVersion.text == "1.0")
    #expect(review.source.path == DistantBytes.name)
    #expect(review.source.archiveBytes == Int64(Self.archive.count))
    var spoiled = Self.archive
    spoiled[spoiled.count / 2] ^= 1
    #expect(
      try PackageValidator().review(of: PackageSource.open(DistantBytes(spoiled))).findings.map(\.rule)
        == [.archiveChecksum])
  }

  @Test func `a distant package is installed`() throws {
    let result = try install(DistantBytes(Self.archive))
    #expect(result.outcome == .installed)
    #expect(result.files == 5)
    #expect(try text("pages/one.txt") == "page one")
    for (name, word) in [("sea.txt", "water "), ("land.txt", "stone "), ("shore", "water ")] {
      #expect(try text(name) == String(repeating: word, count: 200_000))
    }
  }

  @Test func `an error of the byte source is thrown unchanged, and nothing is installed`() throws {
    struct Unreachable: Error, CustomStringConvertible { var description: String { "there is no network" } }
    let error = SourceError.transport(Unreachable())
    let whole = DistantBytes(Self.archive)
    #expect(try install(whole).outcome == .installed)
    try folder.remove("Documents")
    for reads in 0..<whole.reads {
      let thrown = #expect(throws: SourceError.self) {
        try install(DistantBytes(Self.archive, failing: error, after: reads))
      }
      #expect(thrown == error)
      #expect(thrown?.underlying is Unreachable)
      #expect(!folder.has("Documents"))
    }
  }

  @Test func `a package that ends before its declared size is not installed`() throws {
    let source = try PackageSource.open(DistantBytes(Self.archive))
    let short = DistantBytes(Self.archive, cutOffAfterOpening: 1000)
    let review = try open(short)
    #expect(source.items.count == review.items.count)
    #expect(throws: SourceError.endedEarly(DistantBytes.name)) {
      try PackageInstaller(access: access).install(review, named: short.name)
    }
    #expect(!folder.has("Documents"))
  }

  @Test func `bytes that are replaced after the review are not installed`() throws {
    let bytes = DistantBytes(Self.archive)
    let review = try open(bytes)
    bytes.isReplaced.store(true, ordering: .relaxed)
    #expect(throws: SourceError.changed(DistantBytes.name)) {
      try PackageInstaller(access: access).install(review, named: bytes.name)
    }
    #expect(!folder.has("Documents"))
    #expect(throws: SourceError.changed(DistantBytes.name)) { try open(bytes) }
  }
}

/// Bytes that are only accessible through the protocol, like those of another machine.
private final class DistantBytes: ByteSource {
  static let name = "https://example.com/Book.pkg"

  let byteCount: Int64
  let isReplaced = Atomic(false)
  private let contents: MemoryBytes
  private let error: SourceError?
  private let maximumReadCount: Int
  /// The remaining size of the source after the central directory has been read.
  private let rest: Int64
  private let state = Mutex((reads: 0, isOpen: false))

  init(
    _ contents: [UInt8], failing error: SourceError? = nil, after maximumReadCount: Int = .max,
    cutOffAfterOpening rest: Int64 = .max
  ) {
    self.contents = MemoryBytes(contents)
    byteCount = Int64(contents.count)
    self.error = error
    self.maximumReadCount = maximumReadCount
    self.rest = rest
  }

  var name: String { Self.name }
  var reads: Int { state.withLock { $0.reads } }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    let (number, isOpen) = state.withLock { state in
      state.reads += 1
      return (state.reads, state.isOpen)
    }
    if let error, number > maximumReadCount { throw error }
    let count = contents.read(at: offset, into: &buffer)
    return isOpen ? Int(max(0, min(Int64(count), rest - offset))) : count
  }

  func hasChanged() -> Bool {
    state.withLock { $0.isOpen = true }
    return isReplaced.load(ordering: .relaxed)
  }
}

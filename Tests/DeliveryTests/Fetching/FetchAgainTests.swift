import ContentPackage
import Installation
import PackageForge
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Downloads after an interrupted one, of the same release or of another.
struct FetchAgainTests {
  private let product: ProductIdentifier
  private let folder: TemporaryFolder

  init() throws {
    product = try #require(ProductIdentifier("com.example.book"))
    folder = try TemporaryFolder()
  }

  private var documents: String { folder.place("Documents") }
  private var kept: String { "Documents/.iapkg/downloads/\(product)" }

  private func release(_ version: String, _ files: [(path: String, bytes: [UInt8])]) throws -> ForgedRelease {
    try ForgedRelease(
      product, version, files.map { ("Contents/\($0.path)", $0.bytes) },
      sequence: Int64(version.prefix(1)) ?? 0)
  }

  /// Returns different files, of which the last is large.
  private func files(_ size: Int, seed: UInt64) -> [(path: String, bytes: [UInt8])] {
    (0..<20).map { ("file-\($0 + 10)", SeededNumbers.bytes(size, seed: seed + UInt64($0))) }
      + [("large", SeededNumbers.bytes(3_000_000, seed: seed + 20))]
  }

  private func store(_ release: ForgedRelease) throws -> FaultyStore { try FaultyStore { release.documents } }

  /// Fetches a release from a server that never delivers the end of the package.
  private func fetchInPart(_ release: ForgedRelease) throws {
    let size = release.documents[release.packagePath]?.count ?? 0
    let store = try FaultyStore({ release.documents }) { answer, request, number in
      if request.range?.upperBound ?? size > size * 4 / 5 {
        answer.cut = number == 0 ? answer.head.count + answer.body.count / 2 : 0
      }
    }
    #expect(throws: StoreError.self) { try store.fetcher(into: documents).fetch(product) }
    #expect(folder.has(kept))
  }

  private func expectInstalled(_ files: [(path: String, bytes: [UInt8])]) throws {
    #expect(try folder.names("Documents/\(product)") == files.map(\.path).sorted())
    for (path, bytes) in files { #expect(try folder.bytes("Documents/\(product)/\(path)") == bytes) }
    #expect(!folder.has(kept))
  }

  @Test func `the download of a release does not resume smaller files of the previous one`() throws {
    try fetchInPart(release("1.0", files(3_000, seed: 1)))
    let files = files(4_000, seed: 100)
    let next = try release("2.0", files)
    let store = try store(next)
    let result = try store.fetcher(into: documents).fetch(product)
    try expectInstalled(files)
    #expect(result.transferredBytes < next.documents.values.reduce(0) { $0 + $1.count })
  }

  @Test func `a partial file in place of a folder of the previous release is kept`() throws {
    try fetchInPart(release("1.0", [("n/one", [1]), ("n/two", [2])] + files(3_000, seed: 1)))
    let files = [("n", SeededNumbers.bytes(3_000_000, seed: 7))]
    for _ in 0..<2 { try fetchInPart(release("2.0", files)) }
    #expect(try folder.bytes("\(kept)/content/n").count > 1_000_000)
    let store = try store(release("2.0", files))
    _ = try store.fetcher(into: documents).fetch(product)
    try expectInstalled(files)
  }

  @Test func `compressed bytes of the previous release are deleted`() throws {
    try fetchInPart(release("1.0", files(3_000, seed: 1)))
    try folder.makeFolder("\(kept)/packed")
    try folder.write("bytes", to: "\(kept)/packed/0123456789abcdef-42")
    try fetchInPart(release("2.0", files(4_000, seed: 100)))
    #expect(!folder.has("\(kept)/packed"))
  }

  @Test func `bytes that another run removes after planning are downloaded again`() throws {
    let files = files(3_000, seed: 1)
    let release = try release("1.0", files)
    try fetchInPart(release)
    let store = try store(release)
    let fetcher = try store.fetcher(into: documents)
    guard case .fetch(let plan) = try fetcher.plan(product, ReleaseChoice(), resuming: .moving) else {
      throw CancellationError()
    }
    #expect(plan.reusedBytes > 0)
    try folder.remove("\(kept)/content")
    _ = try fetcher.fetch(plan)
    try expectInstalled(files)
  }

  @Test func `files that other runs remove before each attempt are downloaded`() throws {
    let names = ["b", "c", "d"]
    let installed = names.enumerated().map { number, name in
      (path: name, bytes: SeededNumbers.bytes(3_000, seed: UInt64(number)))
    }
    let old = try store(release("1.0", installed))
    _ = try withExtendedLifetime(old) { try old.fetcher(into: documents).fetch(product) }
    let files = [(path: "a", bytes: SeededNumbers.bytes(3_000, seed: 7))] + installed
    let new = try store(release("2.0", files))
    let calls = Mutex(0)
    // The installer asks after planning, before it locks the folder, and again after the content has arrived.
    let installer = PackageInstaller(access: DocumentsAccess(path: documents, isDurable: false)) {
      [folder, product] findings in
      let number = calls.withLock { number in
        defer { number += 1 }
        return number
      }
      if number < names.count { try? folder.remove("Documents/\(product)/\(names[number])") }
      return findings.areAcceptable
    }
    let fetcher = ReleaseFetcher(
      StoreReader(try new.open()), location: new.server.address, allowsExpired: false,
      installer: installer)
    let result = try withExtendedLifetime(new) { try fetcher.fetch(product) }
    #expect(result.installation.outcome == .installed)
    #expect(calls.withLock(\.self) == names.count + 2)
    try expectInstalled(files)
  }
}

import ContentPackage
import Foundation
import Installation
import PackageForge
import TestSupport
import Testing

@testable import Delivery

/// Fetches after an interrupted download of files without chunks, and the figures of unfinished downloads.
@Suite struct ResumedFetchTests {
  /// The compression of a file in the package.
  enum Kind: CaseIterable {
    case stored, deflated

    /// Returns bytes whose compressed size is `size` or a little more.
    func bytes(_ size: Int) -> [UInt8] {
      // Three of four bits of each byte of a deflated file are random.
      self == .stored
        ? SeededNumbers.bytes(size, seed: 1) : SeededNumbers.bytes(size / 3 * 4, seed: 1).map { $0 & 0x3F }
    }
  }

  private let bench: FetchBench
  private var product: ProductIdentifier { bench.product }
  private var kept: String { "Documents/.iapkg/downloads/\(product)" }

  init() throws { bench = try FetchBench() }

  private func release(_ version: String, _ files: FetchBench.Files, deflates: Bool = false) throws
    -> ForgedRelease
  {
    try ForgedRelease(product, version, files, deflates: deflates, sequence: version == "1.0" ? 1 : 2)
  }

  private func fetch(
    _ release: ForgedRelease, fault: @escaping FaultyStore.Fault = { _, _, _ in }
  ) throws -> (result: ReleaseFetcher.Result, receivedBytes: Int) {
    let store = try FaultyStore({ release.documents }, fault: fault)
    let result = try store.fetcher(into: bench.folder.place("Documents")).fetch(product)
    let requests = store.server.received.filter { $0.path.hasSuffix(".pkg") }
    return (result, requests.reduce(0) { $0 + ($1.range?.count ?? 0) })
  }

  private func expectInstalled(_ files: FetchBench.Files) throws {
    #expect(try bench.intactVersion() != nil)
    for (path, bytes) in files {
      #expect(
        try bench.folder.bytes("Documents/\(product)/\(path.dropFirst("Contents/".count))") == bytes)
    }
    #expect(!bench.folder.has("Documents/.iapkg/downloads"))
  }

  // MARK: Parts of files

  /// A download of one large file, of which about half was received.
  private struct HalfDownload {
    let files: FetchBench.Files
    let release: ForgedRelease
    /// The path of the resumable part.
    let part: String
    let partSize: Int
  }

  private func receiveHalf(_ kind: Kind, size: Int = 3_000_000) throws -> HalfDownload {
    let files = [("Contents/large.dat", kind.bytes(size))]
    let release = try release("1.0", files, deflates: kind == .deflated)
    #expect(throws: StoreError.self) {
      try fetch(release) { answer, _, number in
        answer.cut = number == 0 ? answer.head.count + answer.body.count / 2 : 0
      }
    }
    let folder = "\(kept)/\(kind == .stored ? "content" : "packed")"
    let part = "\(folder)/\(try #require(try bench.folder.names(folder).first))"
    let partSize = try bench.folder.bytes(part).count
    #expect(partSize >= size / 2 - 500_000)
    return HalfDownload(files: files, release: release, part: part, partSize: partSize)
  }

  /// The smaller of the deflated files is decoded in one piece.
  @Test(arguments: Kind.allCases, [1_500_000, 3_000_000])
  func `only the rest of a partly received file is downloaded`(_ kind: Kind, _ size: Int) throws {
    let half = try receiveHalf(kind, size: size)
    let package = try #require(half.release.documents[half.release.packagePath]).count
    let again = try fetch(half.release)
    try expectInstalled(half.files)
    #expect(again.receivedBytes <= package - half.partSize)
    #expect(again.result.plan.reusedBytes >= Int64(half.partSize))
  }

  @Test(arguments: Kind.allCases)
  func `a partial file with a second hard link is not written to`(_ kind: Kind) throws {
    let half = try receiveHalf(kind)
    try FileManager.default.linkItem(
      atPath: bench.folder.place(half.part), toPath: bench.folder.place("linked"))
    let bytes = try bench.folder.bytes("linked")
    _ = try fetch(half.release)
    try expectInstalled(half.files)
    #expect(try bench.folder.bytes("linked") == bytes)
  }

  @Test(arguments: Kind.allCases)
  func `a damaged partial file with a second hard link is removed and received again`(_ kind: Kind) throws {
    let half = try receiveHalf(kind)
    let zeros = [UInt8](repeating: 0, count: half.partSize)
    try bench.folder.write(zeros, to: "linked")
    try bench.folder.remove(half.part)
    try FileManager.default.linkItem(
      atPath: bench.folder.place("linked"), toPath: bench.folder.place(half.part))
    let again = try fetch(half.release)
    try expectInstalled(half.files)
    #expect(again.result.plan.reusedBytes == 0)
    #expect(try bench.folder.bytes("linked") == zeros)
  }

  @Test(arguments: Kind.allCases)
  func `a damaged partial file costs a retry, never a wrong file`(_ kind: Kind) throws {
    let half = try receiveHalf(kind)
    var bytes = try bench.folder.bytes(half.part)
    bytes[bytes.count / 2] ^= 1
    try bench.folder.write(bytes, to: half.part)
    _ = try fetch(half.release)
    try expectInstalled(half.files)
  }

  @Test func `a completely received file is moved, not copied`() throws {
    let files = ["large.dat", "other.dat"].enumerated().map { number, name in
      (path: "Contents/\(name)", bytes: SeededNumbers.bytes(2_000_000, seed: UInt64(number)))
    }
    let release = try release("1.0", files)
    let size = try #require(release.documents[release.packagePath]).count
    #expect(throws: StoreError.self) {
      try fetch(release) { answer, request, _ in
        if request.range?.upperBound ?? size > size * 3 / 4 {
          answer.cut = max(0, answer.head.count + answer.body.count - 1_500_000)
        }
      }
    }
    let inode = try bench.inode("\(kept)/content/large.dat")
    let again = try fetch(release)
    try expectInstalled(files)
    #expect(again.receivedBytes <= 2_000_000)
    #expect(try bench.inode("Documents/\(product)/large.dat") == inode)
  }

  // MARK: Figures

  @Test func `chunks of the installed version count as reused by an unfinished download`() throws {
    var content = SeededNumbers.bytes(6 << 20, seed: 1)
    _ = try fetch(release("1.0", [("Contents/large.dat", content)]))
    content[5 << 20] ^= 1
    let next = try release("1.1", [("Contents/large.dat", content)])
    #expect(throws: StoreError.self) { try fetch(next) { answer, _, _ in answer.cut = 0 } }
    let download = try #require(try UnfinishedDownload.all(in: bench.access()).first)
    #expect(download.reusedBytes >= 4 << 20 && download.receivedBytes < 300_000)
  }

  @Test func `copied files do not count as received, and received files do not count as missing`() throws {
    func file(_ name: String, _ size: Int, seed: UInt64) -> (path: String, bytes: [UInt8]) {
      ("Contents/\(name)", SeededNumbers.bytes(size, seed: seed))
    }
    let old = (0..<8).map { file("old\($0)", 300_000, seed: $0) }
    _ = try fetch(release("1.0", old))
    let files = old + (10..<13).map { file("new\($0)", 400_000, seed: $0) }
    let next = try release("1.1", files)
    func missingBytes() throws -> Int64 {
      let store = try FaultyStore { next.documents }
      let fetcher = try store.fetcher(into: bench.folder.place("Documents"))
      let outcome = try withExtendedLifetime(store) {
        try fetcher.fetch(product, ReleaseChoice(), keeping: .none, for: .survey)
      }
      return try #require(outcome.plan).updateBytes
    }
    let before = try missingBytes()
    // One of the new files and a half arrive.
    let limit = try #require(next.documents[next.packagePath]).count - 600_000
    #expect(throws: StoreError.self) {
      try fetch(next) { answer, request, _ in
        guard request.path.hasSuffix(".pkg"), let range = request.range, range.upperBound > limit else {
          return
        }
        answer.cut = answer.head.count + max(0, limit - range.lowerBound)
      }
    }
    let download = try #require(try UnfinishedDownload.all(in: bench.access()).first)
    #expect(download.note?.contentVersion == ContentVersion("1.1"))
    #expect(download.receivedBytes > 0 && download.receivedBytes < 1_200_000)
    #expect(download.reusedBytes % 300_000 == 0)
    #expect(try missingBytes() < before)
    #expect(bench.folder.has(kept), "a survey keeps the download")
    _ = try fetch(next)
    try expectInstalled(files)
  }
}

import ContentPackage
import Installation
import PackageForge
import SafeFiles
import StrictJSON
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Downloads whose parts arrive one by one, in any order.
struct PartedDownloadTests {
  private let product: ProductIdentifier
  private let folder: TemporaryFolder
  private let stores = Stores()

  /// The servers of a test, which end with it.
  private final class Stores: Sendable {
    let all = Mutex<[FaultyStore]>([])
  }

  init() throws {
    product = try #require(ProductIdentifier("com.example.book"))
    folder = try TemporaryFolder()
  }

  private var kept: String { "Documents/.iapkg/downloads/\(product)" }

  /// Returns small and large files, of which one takes several parts.
  private static func files(seed: UInt64 = 1) -> [(path: String, bytes: [UInt8])] {
    (0..<20).map { ("small-\($0 + 10)", SeededNumbers.bytes(3_000, seed: seed + UInt64($0))) }
      + [
        ("large", SeededNumbers.bytes(5_000_000, seed: seed + 50)),
        ("movie", SeededNumbers.bytes(9_500_000, seed: seed + 60)),
      ]
  }

  private func release(
    _ version: String, _ files: [(path: String, bytes: [UInt8])], deflated: Bool = false
  ) throws -> ForgedRelease {
    try ForgedRelease(
      product, version, files.map { ("Contents/\($0.path)", $0.bytes) }, deflates: deflated,
      sequence: Int64(version.prefix(1)) ?? 0)
  }

  /// A store that refuses requests for the package, because other programs download the parts.
  private func fetcher(_ release: ForgedRelease) throws -> (ReleaseFetcher, FaultyStore) {
    let store = try FaultyStore({ release.documents }) { answer, _, _ in
      answer = .init(status: 403, headers: ["Content-Length": "0"], body: [])
    }
    stores.all.withLock { $0.append(store) }
    return (try store.fetcher(into: folder.place("Documents")), store)
  }

  /// Writes the bytes of a part to a file.
  private func file(
    _ part: DownloadPart, of release: ForgedRelease, _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> String {
    let package = try #require(release.documents[release.packagePath])
    var bytes = Array(package[Int(part.range.lowerBound)..<Int(part.range.upperBound)])
    change(&bytes)
    try folder.write(bytes, to: "received")
    return folder.place("received")
  }

  private func expectInstalled(_ files: [(path: String, bytes: [UInt8])]) throws {
    #expect(try folder.names("Documents/\(product)") == files.map(\.path).sorted())
    for (path, bytes) in files { #expect(try folder.bytes("Documents/\(product)/\(path)") == bytes) }
    #expect(!folder.has(kept))
  }

  @Test(arguments: [false, true])
  func `parts that arrive in any order are installed without another request`(_ deflated: Bool) throws {
    let files = Self.files()
    let release = try release("1.0", files, deflated: deflated)
    let (fetcher, store) = try fetcher(release)
    let download = try #require(try fetcher.planParts(of: product))
    #expect(download.parts.count > 3 && download.contentVersion == ContentVersion("1.0"))
    var numbers = SeededNumbers(7)
    for part in download.parts.shuffled(using: &numbers) {
      #expect(part.address == "\(store.server.address)/\(release.packagePath)")
      #expect(try fetcher.accept(file(part, of: release), forPart: part.id, of: product) == .kept)
      #expect(try fetcher.accept(file(part, of: release), forPart: part.id, of: product) == .alreadyKept)
    }
    #expect(try fetcher.plannedParts(of: product)?.missingParts.isEmpty == true)
    let result = try fetcher.finishParts(of: product)
    #expect(result.installation.outcome == .installed)
    try expectInstalled(files)
    #expect(!store.server.received.contains { $0.path.hasSuffix(".pkg") })
    #expect(try fetcher.planParts(of: product) == nil && fetcher.plannedParts(of: product) == nil)
  }

  @Test func `a transfer waits after its plan, and is finished or failed if there is none`() throws {
    func state(
      _ version: String, _ files: [(path: String, bytes: [UInt8])]
    ) throws -> ProductTransfer.State? {
      let (fetcher, _) = try self.fetcher(self.release(version, files))
      _ = try? fetcher.planParts(of: product)
      return fetcher.transfers.transfers.first?.state
    }
    #expect(try state("1.0", Self.files()) == .waiting)
    let release = try release("1.0", Self.files())
    let store = try FaultyStore { release.documents }
    _ = try store.fetcher(into: folder.place("Documents")).fetch(product)
    store.server.close()
    #expect(try state("1.0", Self.files()) == .finished)
    #expect(try state("2.0", [("a", [1]), ("A", [2])]) == .failed)
  }

  @Test func `a plan of the same release stays, and the digest of a stored file is known`() throws {
    let files = Self.files()
    let release = try release("1.0", files)
    let (fetcher, _) = try fetcher(release)
    let first = try #require(try fetcher.planParts(of: product))
    let last = try #require(first.parts.last)
    _ = try fetcher.accept(file(last, of: release), forPart: last.id, of: product)
    let again = try #require(try self.fetcher(release).0.planParts(of: product))
    #expect(again.parts.map(\.range) == first.parts.map(\.range))
    #expect(again.missingParts.count == first.parts.count - 1 && again.parts.last?.isKept == true)
    let package = try #require(release.documents[release.packagePath])
    for part in first.parts {
      guard let digest = part.digest else { continue }
      let bytes = Array(package[Int(part.range.lowerBound)..<Int(part.range.upperBound)])
      #expect(SHA256Digest(of: bytes).hexadecimal == digest)
    }
    #expect(first.parts.reduce(0) { $0 + $1.byteCount } < Int64(package.count))
  }

  @Test func `truncated, damaged and unknown parts are refused and not kept`() throws {
    let release = try release("1.0", Self.files())
    let (fetcher, _) = try fetcher(release)
    let parts = try #require(try fetcher.planParts(of: product)).parts
    #expect {
      try fetcher.accept(file(parts[0], of: release) { $0.removeLast() }, forPart: parts[0].id, of: product)
    } throws: { error in
      guard case PartError.wrongSize(let part, let found) = error else { return false }
      return part.id == parts[0].id && found == part.byteCount - 1
    }
    for part in parts {
      #expect {
        try fetcher.accept(file(part, of: release) { $0[0] ^= 1 }, forPart: part.id, of: product)
      } throws: { error in
        guard case PartError.otherContent(let named, _) = error else { return false }
        return named.id == part.id
      }
    }
    #expect {
      try fetcher.accept(file(parts[0], of: release), forPart: "0123", of: product)
    } throws: { error in
      guard case PartError.unknownPart(_, "0123") = error else { return false }
      return true
    }
    #expect(try folder.names("\(kept)/parts").isEmpty)
    #expect {
      try fetcher.finishParts(of: product)
    } throws: { error in
      guard case PartError.incomplete(_, let missing) = error else { return false }
      return missing.map(\.id) == parts.map(\.id)
    }
  }

  @Test func `the whole package is accepted for all parts`() throws {
    let files = Self.files()
    let release = try release("1.0", files)
    let (fetcher, _) = try fetcher(release)
    let parts = try #require(try fetcher.planParts(of: product)).parts
    var package = try #require(release.documents[release.packagePath])
    package[Int(parts[2].range.lowerBound)] ^= 1
    try folder.write(package, to: "damaged")
    #expect(throws: PartError.self) {
      try fetcher.accept(folder.place("damaged"), forPart: parts[2].id, of: product)
    }
    #expect(try fetcher.accept(folder.place("damaged"), forPart: parts[0].id, of: product) == .kept)
    #expect(try fetcher.plannedParts(of: product)?.missingParts.map(\.id) == [parts[2].id])
    try UnfinishedDownload.cancel(product, in: fetcher.access)
    _ = try fetcher.planParts(of: product)
    try folder.write(try #require(release.documents[release.packagePath]), to: "whole")
    #expect(try fetcher.accept(folder.place("whole"), forPart: parts[1].id, of: product) == .kept)
    #expect(try fetcher.plannedParts(of: product)?.missingParts.isEmpty == true)
    _ = try fetcher.finishParts(of: product)
    try expectInstalled(files)
  }

  @Test func `another release is detected, and the files and chunks that it shares are not planned again`()
    throws
  {
    let old = try release("1.0", Self.files())
    let (fetcher, _) = try fetcher(old)
    for part in try #require(try fetcher.planParts(of: product)).parts {
      _ = try fetcher.accept(file(part, of: old), forPart: part.id, of: product)
    }
    var files = Self.files()
    files[3].bytes = SeededNumbers.bytes(4_000, seed: 99)
    files[21].bytes.insert(7, at: 4_000_000)
    let new = try release("2.0", files)
    let (next, _) = try self.fetcher(new)
    #expect {
      try next.finishParts(of: product)
    } throws: { error in
      guard case PartError.releaseChanged(_, let planned, let available) = error else { return false }
      return planned == ContentVersion("1.0") && available == ContentVersion("2.0")
    }
    let plan = try #require(try next.planParts(of: product))
    #expect(plan.contentVersion == ContentVersion("2.0"))
    #expect(plan.parts.reduce(0) { $0 + $1.byteCount } < 600_000)
    for part in plan.missingParts {
      _ = try next.accept(file(part, of: new), forPart: part.id, of: product)
    }
    _ = try next.finishParts(of: product)
    try expectInstalled(files)
  }

  @Test func `a part whose files were lost is planned again`() throws {
    let files = Self.files()
    let release = try release("1.0", files)
    let (fetcher, _) = try fetcher(release)
    let parts = try #require(try fetcher.planParts(of: product)).parts
    for part in parts { _ = try fetcher.accept(file(part, of: release), forPart: part.id, of: product) }
    let lost = try #require(try folder.names("\(kept)/parts/\(parts[0].id)").first)
    try folder.remove("\(kept)/parts/\(parts[0].id)/\(lost)")
    #expect {
      try fetcher.finishParts(of: product)
    } throws: { error in
      guard case PartError.incomplete(_, let missing) = error else { return false }
      return missing.map(\.id) == [parts[0].id]
    }
    _ = try fetcher.accept(file(parts[0], of: release), forPart: parts[0].id, of: product)
    _ = try fetcher.finishParts(of: product)
    try expectInstalled(files)
  }

  @Test func `an update plans only the chunks that changed, and a fetch uses the parts too`() throws {
    let before = Self.files()
    let old = try release("1.0", before)
    let first = try FaultyStore { old.documents }
    _ = try first.fetcher(into: folder.place("Documents")).fetch(product)
    first.server.close()
    var files = before
    files[21].bytes[1_000_000] ^= 1
    files[21].bytes[8_000_000] ^= 1
    let new = try release("2.0", files)
    let store = try FaultyStore { new.documents }
    let fetcher = try store.fetcher(into: folder.place("Documents"))
    let parts = try #require(try fetcher.planParts(of: product)).parts
    #expect(parts.count == 2 && parts.allSatisfy { $0.byteCount <= 256 << 10 })
    _ = try fetcher.accept(file(parts[0], of: new), forPart: parts[0].id, of: product)
    _ = try fetcher.fetch(product)
    try expectInstalled(files)
    let ranges = store.server.received.filter { $0.path.hasSuffix(".pkg") }.compactMap { $0.headers["range"] }
    store.server.close()
    #expect(ranges == ["bytes=\(parts[1].range.lowerBound)-\(parts[1].range.upperBound - 1)"])
  }

  @Test func `a release that would be refused is not planned`() throws {
    let release = try release("1.0", [("a", [1]), ("A", [2])])
    let (fetcher, _) = try fetcher(release)
    #expect {
      try fetcher.planParts(of: product)
    } throws: { error in
      guard case PartError.refused(let result) = error else { return false }
      return result.outcome == .invalid
    }
    #expect(!folder.has(kept))
  }

  @Test func `a store without addresses has no parts`() throws {
    try release("1.0", Self.files()).write(to: folder, "store")
    let fetcher = try ReleaseFetcher(
      from: folder.place("store"),
      installer: PackageInstaller(access: DocumentsAccess(path: folder.place("Documents"))))
    #expect {
      try fetcher.planParts(of: product)
    } throws: { error in
      if case PartError.noAddress = error { return true }
      return false
    }
  }

  @Test func `the remains of an interrupted run are replaced, and accepted parts count as received`() throws {
    let files = Self.files()
    let release = try release("1.0", files)
    let (fetcher, _) = try fetcher(release)
    let parts = try #require(try fetcher.planParts(of: product)).parts
    try folder.makeFolder("\(kept)/parts/.new")
    try folder.write("half a file", to: "\(kept)/parts/.new/61625")
    for part in parts { _ = try fetcher.accept(file(part, of: release), forPart: part.id, of: product) }
    #expect(!folder.has("\(kept)/parts/.new"))
    let downloads = try UnfinishedDownload.all(in: DocumentsAccess(path: folder.place("Documents")))
    #expect(downloads.map(\.receivedBytes) == [files.reduce(0) { $0 + Int64($1.bytes.count) }])
    #expect(downloads.first?.note?.contentVersion == ContentVersion("1.0"))
    _ = try fetcher.finishParts(of: product)
    try expectInstalled(files)
  }

  @Test func `a download that was discarded accepts nothing`() throws {
    let release = try release("1.0", Self.files())
    let (fetcher, _) = try fetcher(release)
    let part = try #require(try fetcher.planParts(of: product)).parts[0]
    try UnfinishedDownload.cancel(product, in: DocumentsAccess(path: folder.place("Documents")))
    #expect {
      try fetcher.accept(file(part, of: release), forPart: part.id, of: product)
    } throws: { error in
      if case PartError.unknownPart = error { return true }
      return false
    }
    #expect(!folder.has(kept))
  }

  @Test(arguments: [
    #"{"contentVersion":"1.0","size":9,"parts":[]}"#,
    #"{"parts":[{"offset":0,"size":0}]}"#,
    #"{"parts":[{"offset":5,"size":5},{"offset":9,"size":1}]}"#,
    #"{"parts":[{"size":5}]}"#,
  ])
  func `a plan that lacks a value, or whose parts overlap, is damaged`(_ text: String) throws {
    #expect(throws: DocumentError.self) { try PartPlan(bytes: Array(text.utf8)) }
  }

  @Test func `a damaged plan or index is discarded`() throws {
    let release = try release("1.0", Self.files())
    let (fetcher, _) = try fetcher(release)
    let part = try #require(try fetcher.planParts(of: product)).parts[0]
    let index = try folder.bytes("\(kept)/index")
    let damages: [[UInt8]] = [
      [0, 1], index.dropLast() + [index[index.count - 1] ^ 1], Array(index.dropLast()),
    ]
    for damaged in damages {
      try folder.write(damaged, to: "\(kept)/index")
      #expect {
        for part in try #require(try fetcher.plannedParts(of: product)).parts {
          _ = try fetcher.accept(file(part, of: release), forPart: part.id, of: product)
        }
      } throws: { error in
        if case PartError.noPlan = error { return true }
        return false
      }
      // The next plan writes the index again, and keeps the names of the parts.
      #expect(try fetcher.planParts(of: product)?.parts.first?.id == part.id)
      #expect(try folder.bytes("\(kept)/index") == index)
    }
    try folder.write("{}", to: "\(kept)/plan")
    #expect(try fetcher.plannedParts(of: product) == nil)
    #expect(throws: PartError.self) { try fetcher.finishParts(of: product) }
    #expect(try fetcher.planParts(of: product) != nil)
  }
}

/// The grouping of missing bytes into parts.
struct PartLayoutTests {
  private func entries(_ count: Int, size: Int64, gap: Int64) -> [TransferPlan.Part] {
    (0..<count).map { index in
      let start = Int64(index) * (size + gap)
      return TransferPlan.Part(range: start..<start + size, entry: UInt32(index))
    }
  }

  @Test(arguments: [
    (1, 100, 0), (5_000, 1_000, 60), (5_000, 1_000, 100_000), (300, 90_000_000, 100), (100_000, 500, 4_000),
  ])
  func `there are at most 100 parts, and they contain everything`(
    _ count: Int, _ size: Int64, _ gap: Int64
  ) {
    let missing = entries(count, size: size, gap: gap)
    let ranges = PartLayout.ranges(of: missing)
    #expect((1...100).contains(ranges.count))
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    var rest = ranges[...]
    let isContained = missing.allSatisfy { part in
      while let first = rest.first, first.upperBound <= part.range.lowerBound { rest.removeFirst() }
      guard let range = rest.first else { return false }
      return range.lowerBound <= part.range.lowerBound && part.range.upperBound <= range.upperBound
    }
    #expect(isContained)
  }

  @Test func `no missing bytes need no parts`() { #expect(PartLayout.ranges(of: []).isEmpty) }
}

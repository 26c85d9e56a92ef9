import Foundation
import PackageForge
import TestSupport
import Testing

/// A fetch resumes an interrupted download.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct FetchResumeTests {
  /// The compression of a large file in the package.
  enum Kind: CaseIterable {
    case stored, deflated

    /// Returns bytes whose compressed size is `size` or a little more.
    func bytes(_ size: Int) -> [UInt8] {
      switch self {
      case .stored: Noise.bytes(size)
      // Three of four bits of each byte are random.
      case .deflated: Noise.bytes(size / 3 * 4).map { $0 & 0x3F }
      }
    }

    /// The path of the resumable part of an interrupted download.
    var keptPlace: String {
      switch self {
      case .stored: "Documents/.iapkg/downloads/com.example.book/content/large.dat"
      case .deflated: "Documents/.iapkg/downloads/com.example.book/packed"
      }
    }

    /// The path of the part during the download.
    var place: String { self == .stored ? "Documents/.iapkg/staging/large.dat" : keptPlace }
  }

  /// The maximum number of bytes in transit between a connection and the disk.
  private static let buffered: Int64 = 500_000

  private let work: Workspace
  private let product = "com.example.book"
  private let store = BucketServer.store

  init() throws { work = try Workspace() }

  private func publish(_ files: [String: [UInt8]]) throws {
    try work.makeBook("Source")
    for (name, bytes) in files { try work.write(bytes, to: "Source/Contents/\(name)") }
    try work.iapkg("create", "Source", "-o", "1.0.pkg").exits(0)
    try work.makeFolder("buckets/bucket")
    try work.iapkg("publish", "1.0.pkg", "--to", "buckets/bucket/shop").succeeds()
    try work.iapkg("extract", "1.0.pkg", "--into", "Expected").succeeds()
  }

  private func expectInstalled() throws {
    #expect(try work.iapkg("status", "--verify").succeeds().output.contains("intact"))
    #expect(try work.snapshot("Documents/\(product)") == work.snapshot("Expected/\(product)"))
    #expect(!work.exists("Documents/.iapkg/downloads"))
  }

  /// Starts a fetch, and ends it once `condition` holds while a response stalls.
  private func fetchInPart(until condition: () throws -> Bool) throws {
    let stalling = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "stall", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product, "--from", store], environment: stalling.environment)
    #expect(try stalling.holds(fetch))
    try Waiting.until(condition)
    fetch.running.send(SIGTERM)
    _ = try fetch.outcome()
    stalling.stop()
  }

  /// Returns the size of a file, or of all files of a folder, in bytes.
  private func size(_ place: String) -> Int64 {
    guard let names = try? work.names(in: place) else { return Int64((try? work.bytes(place).count) ?? 0) }
    return names.reduce(0) { $0 + size("\(place)/\($1)") }
  }

  /// Publishes one large file, and downloads about half of it.
  private func receiveHalf(
    _ kind: Kind, size packedSize: Int = 3_000_000
  ) throws -> (package: Int64, kept: Int64) {
    try publish(["large.dat": kind.bytes(packedSize)])
    let package = Int64(try work.bytes("1.0.pkg").count)
    try fetchInPart { size(kind.place) >= package / 2 - Self.buffered }
    let kept = size(kind.keptPlace)
    #expect(kept >= package / 2 - Self.buffered)
    return (package, kept)
  }

  @Test func `chunks of the installed version count as reused by an unfinished download`() throws {
    var content = Noise.bytes(6 << 20)
    try publish(["large.dat": content])
    try work.iapkg("fetch", product, "--from", "buckets/bucket/shop").succeeds()
    content[5 << 20] ^= 1
    try work.makeBook("New", version: "1.1")
    try work.write(content, to: "New/Contents/large.dat")
    try work.iapkg("release", "New", "--to", "buckets/bucket/shop").succeeds()
    try fetchInPart { size("Documents/.iapkg/staging/large.dat") >= 4 << 20 }
    let download = try work.iapkg("downloads", "--format=json").succeeds().document()["downloads"]?[0]
    #expect(try #require(download?["reusedBytes"]?.integer) >= 4 << 20)
    #expect(try #require(download?["receivedBytes"]?.integer) < 300_000)
  }

  /// The smaller of the deflated files is decoded in one piece.
  @Test(arguments: Kind.allCases, [1_500_000, 3_000_000])
  func `of a file that was received in part only the rest is received`(_ kind: Kind, _ size: Int) throws {
    let (package, kept) = try receiveHalf(kind, size: size)
    let bucket = try BucketServer(work)
    let before = try bucket.bytesMoved(".pkg")
    let document = try bucket.iapkg("fetch", product, "--from", store, "--format=json").succeeds().document()
    try expectInstalled()
    #expect(try bucket.bytesMoved(".pkg") - before <= package - kept)
    #expect(try #require(document["products"]?[0]?["reusedBytes"]?.integer) >= kept)
  }

  @Test(arguments: Kind.allCases)
  func `a part with another name is not written to`(_ kind: Kind) throws {
    _ = try receiveHalf(kind)
    let name =
      kind == .stored
      ? kind.keptPlace : "\(kind.keptPlace)/\(try #require(work.names(in: kind.keptPlace).first))"
    try FileManager.default.linkItem(atPath: work.place(name), toPath: work.place("linked"))
    let bytes = try work.bytes("linked")
    try BucketServer(work).iapkg("fetch", product, "--from", store).succeeds()
    try expectInstalled()
    #expect(try work.bytes("linked") == bytes)
  }

  @Test(arguments: Kind.allCases)
  func `a part that is not what was received costs a retry, never a wrong file`(_ kind: Kind) throws {
    _ = try receiveHalf(kind)
    let name =
      kind == .stored
      ? kind.keptPlace : "\(kind.keptPlace)/\(try #require(work.names(in: kind.keptPlace).first))"
    var bytes = try work.bytes(name)
    bytes[bytes.count / 2] ^= 1
    try work.write(bytes, to: name)
    try BucketServer(work).iapkg("fetch", product, "--from", store).succeeds()
    try expectInstalled()
  }

  /// Publishes two large files, and downloads only one of them completely.
  ///
  /// - Returns: The downloaded file.
  private func receiveOne() throws -> String {
    try publish(["large.dat": Noise.bytes(2_000_000), "other.dat": Noise.bytes(2_000_000)])
    // One of four requests is held: two for the large files, and two for the small files before and after them.
    let held = try BucketServer(work, faults: [#"{"skip": 3, "key": ".pkg", "do": "hold", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product, "--from", store], environment: held.environment)
    func whole() -> String? {
      ["large.dat", "other.dat"].first { size("Documents/.iapkg/staging/\($0)") == 2_000_000 }
    }
    #expect(try held.holds(fetch))
    try Waiting.until { whole() != nil }
    fetch.running.send(SIGKILL)
    _ = try fetch.outcome()
    held.stop()
    return try #require(whole())
  }

  @Test func `a file that was received whole is moved to where it is needed`() throws {
    let whole = try receiveOne()
    let number = try work.inode("Documents/.iapkg/staging/\(whole)")
    try BucketServer(work).iapkg("fetch", product, "--from", store).exits(0)
    try expectInstalled()
    #expect(try work.inode("Documents/\(product)/\(whole)") == number)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("unshare"), "needs root and unshare"))
  func `what was received needs no room a second time`() throws {
    _ = try receiveOne()
    try work.makeFolder("small")
    // There is space for the content, but not for another half of it.
    let mounted = "mount -t tmpfs -o size=5m tmpfs small && cp -a Documents small && exec \"$0\" \"$@\""
    let bucket = try BucketServer(work)
    try work.iapkg(
      ["fetch", product, "--from", store, "--into", "small/Documents"], environment: bucket.environment,
      through: ["unshare", "-m", "sh", "-c", mounted]
    ).exits(0, saying: "the download of \(product) was interrupted")
  }
}

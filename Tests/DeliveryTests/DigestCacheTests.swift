#if COMMAND_LINE_TOOL
import ContentPackage
import Foundation
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// The cache of file digests between releases.
struct DigestCacheTests {
  private let folder: TemporaryFolder
  private var content: String { "\(folder.path)/Book" }
  private var cache: String { "\(folder.path)/.iapkg-cache" }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: content, withIntermediateDirectories: true)
  }

  private static func record(_ inode: UInt64, digest: String = "a") -> DigestCache.Record {
    DigestCache.Record(
      identity: FileIdentity(device: 7, inode: inode), size: 5,
      modified: FileStatus.Time(seconds: -1, nanoseconds: 999_999_999),
      changed: FileStatus.Time(seconds: 1 << 40, nanoseconds: 0), digest: SHA256Digest(of: Array(digest.utf8))
    )
  }

  /// Returns the status of a file, and a cache with its digest.
  private func remembered(_ text: String) throws -> (FileStatus, DigestCache) {
    let path = "\(folder.path)/file"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let status = try #require(try FileSystem.status(of: path, followingLinks: true))
    let record = DigestCache.Record(
      identity: status.identity, size: status.size, modified: status.modificationTime,
      changed: status.changeTime, digest: SHA256Digest(of: Array(text.utf8)))
    return (status, DigestCache(of: [record]))
  }

  @Test func `a cache reads back as it was written`() {
    let cache = DigestCache(of: [Self.record(9), Self.record(3), Self.record(9, digest: "b")])
    let read = DigestCache(bytes: cache.bytes)
    #expect(read.records.map(\.identity.inode) == [3, 9])
    #expect(read.records.map(\.modified) == cache.records.map(\.modified))
    #expect(read.records.map(\.changed) == cache.records.map(\.changed))
    #expect(read.records.map(\.digest) == cache.records.map(\.digest))
  }

  @Test func `damage or truncation anywhere makes an empty cache`() {
    let bytes = DigestCache(of: [Self.record(1), Self.record(2)]).bytes
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(DigestCache(bytes: damaged).records.isEmpty)
      #expect(DigestCache(bytes: Array(bytes[..<index])).records.isEmpty)
    }
    #expect(DigestCache(bytes: bytes + [0]).records.isEmpty)
    #expect(DigestCache(bytes: []).records.isEmpty)
  }

  @Test func `records out of order make an empty cache`() {
    let two = DigestCache(of: [Self.record(1), Self.record(2)]).bytes
    var bytes = Array(two.dropLast(32))
    let size = (bytes.count - 16) / 2
    bytes = Array(bytes[..<16] + bytes[(16 + size)...] + bytes[16..<(16 + size)])
    #expect(DigestCache(bytes: bytes + SHA256Digest(of: bytes).bytes).records.isEmpty)
  }

  @Test func `a file with another modification time has no digest`() throws {
    let (status, cache) = try remembered("one")
    #expect(cache.digest(of: status) == SHA256Digest(of: Array("one".utf8)))
    let path = "\(folder.path)/file"
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    let later = try #require(try FileSystem.status(of: path, followingLinks: true))
    #expect(cache.digest(of: later) == nil)
  }

  @Test(arguments: [(0, false), (-5, false), (3, true)])
  func `a file that was written a moment ago is not cached`(_ later: Int64, _ isSure: Bool) throws {
    let (status, _) = try remembered("one")
    let time = FileStatus.Time(
      seconds: status.changeTime.seconds + later, nanoseconds: status.changeTime.nanoseconds)
    #expect(DigestCache.canDetectChanges(of: status, since: time) == isSure)
  }

  @Test func `a written cache is read back, also through another path`() throws {
    let (status, digests) = try remembered("one")
    let file = try #require(DigestCacheFile(of: content))
    #expect(file.read().records.isEmpty)
    file.write(digests)
    #expect(file.read().digest(of: status) != nil)
    #expect(try #require(DigestCacheFile(of: content + "/../Book/")).read().digest(of: status) != nil)
  }

  @Test func `a cache that others may write is neither read nor written`() throws {
    let (_, digests) = try remembered("one")
    let file = try #require(DigestCacheFile(of: content))
    file.write(digests)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: cache)
    #expect(file.read().records.isEmpty)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: cache).first { $0 != ".gitignore" })
    try FileManager.default.removeItem(atPath: "\(cache)/\(name)")
    file.write(digests)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache) == [".gitignore"])
  }

  @Test func `a link in place of the cache is not followed`() throws {
    let (_, digests) = try remembered("one")
    let other = "\(folder.path)/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: cache, withDestinationPath: other)
    let file = try #require(DigestCacheFile(of: content))
    file.write(digests)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == [])
    #expect(file.read().records.isEmpty)
  }
}

extension DigestCache {
  fileprivate init(of records: [Record]) { self.init(of: records.indices) { records[$0] } }
}
#endif

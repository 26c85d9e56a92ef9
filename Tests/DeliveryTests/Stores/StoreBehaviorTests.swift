import ContentPackage
import Foundation
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// The behavior common to all stores: a folder, a bucket of the stand-in, a bucket of moto.
@Suite struct StoreBehaviorTests {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case folder, standIn, moto
    var testDescription: String { rawValue }
    static var here: [Kind] { allCases.filter { $0 != .moto || MotoServer.isThere } }
  }

  @Test(.enabled(if: MotoServer.isThere, "moto[server] 5.1 or later is not installed for python3"))
  func `moto is installed`() {}

  /// Passes a new store to `body`.
  private func with(_ kind: Kind, _ body: (any WritableStore) throws -> Void) throws {
    switch kind {
    case .folder:
      let folder = try TemporaryFolder()
      try body(FolderStore(folder.place("store"), cancellation: Cancellation()))
      withExtendedLifetime(folder) {}
    case .standIn:
      let bucket = try StandInBucket(options: ["--page", "2"])
      try body(try bucket.store())
    case .moto: try body(try MotoServer.store())
    }
  }

  private func product(_ number: Int) throws -> StorePath {
    .product(try #require(ProductIdentifier("com.example.book\(number)")), SHA256Digest(of: []))
  }

  private func text(_ store: any WritableStore, _ path: StorePath, _ range: Range<Int64>? = nil) throws
    -> String
  {
    var bytes: [UInt8] = []
    try store.read(path, range: range) { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: Kind.here) func `reads back an object`(_ kind: Kind) throws {
    try with(kind) { store in
      #expect(try store.status(of: .catalog) == nil)
      #expect(try store.object(at: .catalog, limit: 10) == nil)
      #expect(reason { _ = try text(store, .catalog) } == .missing)
      let status = try store.put("catalog", at: .catalog)
      #expect(status.byteCount == 7)
      #expect(try store.status(of: .catalog) == status)
      #expect(
        try store.object(at: .catalog, limit: 7)
          == StoredObject(bytes: Array("catalog".utf8), tag: status.tag))
      #expect(try text(store, .catalog) == "catalog")
      #expect(try text(store, .catalog, 2..<5) == "tal")
      #expect(reason { _ = try store.object(at: .catalog, limit: 6) } == .tooLarge)
    }
  }

  @Test(arguments: Kind.here) func `reads back an empty object`(_ kind: Kind) throws {
    try with(kind) { store in
      try store.put("", at: try product(1))
      #expect(try store.object(at: try product(1), limit: 0)?.bytes == [])
      #expect(try text(store, try product(1)) == "")
    }
  }

  @Test(arguments: Kind.here) func `writes only if the condition holds`(_ kind: Kind) throws {
    try with(kind) { store in
      let first = try store.put("one", at: .catalog, if: .absent)
      #expect(reason { try store.put("two", at: .catalog, if: .absent) } == .conditionFailed)
      let second = try store.put("two", at: .catalog, if: .unchanged(first.tag))
      #expect(reason { try store.put("three", at: .catalog, if: .unchanged(first.tag)) } == .conditionFailed)
      #expect(try text(store, .catalog) == "two")
      #expect(try store.status(of: .catalog) == second)
    }
  }

  @Test(arguments: Kind.here) func `lists everything below a prefix`(_ kind: Kind) throws {
    try with(kind) { store in
      let paths = try (1...5).map { try product($0) }
      for path in paths { try store.put("{}", at: path) }
      try store.put("catalog", at: .catalog)
      #expect(Set(try store.list("").map(\.path)) == Set((paths + [.catalog]).map(\.text)))
      let items = try store.list("products/")
      #expect(Set(items.map(\.path)) == Set(paths.map(\.text)))
      #expect(items.allSatisfy { $0.byteCount == 2 })
      let now = Int64(Date().timeIntervalSince1970)
      #expect(items.allSatisfy { abs($0.modified - now) < 3600 })
      #expect(try store.leftovers().isEmpty)
    }
  }

  @Test(arguments: Kind.here) func `deletes an object`(_ kind: Kind) throws {
    try with(kind) { store in
      try store.put("catalog", at: .catalog)
      try store.delete(.catalog)
      try store.delete(.catalog)
      #expect(try store.status(of: .catalog) == nil)
      #expect(try store.list("").isEmpty)
    }
  }

  /// Replacing an object in moto is not atomic.
  @Test(arguments: Kind.here.filter { $0 != .moto })
  func `loses no concurrent replacement`(_ kind: Kind) throws {
    try with(kind) { store in
      try store.put("", at: .catalog)
      WorkerPool.run(count: 4) { number in
        do {
          try store.exclusively {
            let old = try #require(try store.object(at: .catalog, limit: 100))
            try store.put(
              MemoryBytes(old.bytes + [UInt8(ascii: "a") + UInt8(number)]), at: .catalog,
              caching: .revalidated,
              if: .unchanged(old.tag), advance: { _ in })
          }
        } catch { Issue.record(error) }
      }
      #expect(try text(store, .catalog).sorted() == ["a", "b", "c", "d"])
    }
  }
}

#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// Another publisher that acts between the plan of `prune` and its deletions.
@Suite struct PruneRaceTests {
  enum Kind: CaseIterable { case folder, bucket }

  private let folder: TemporaryFolder
  private let product: ProductIdentifier
  private let published: ForgedRelease
  private let uploaded: ForgedRelease

  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    let files = [("Contents/a", Array("text".utf8))]
    published = try ForgedRelease(product, "1.0", files)
    uploaded = try ForgedRelease(product, "1.1", files, sequence: 2)
  }

  /// Makes a store with the published release, and the objects of another one without its catalog.
  private func withStore(_ kind: Kind, _ body: (any WritableStore) throws -> Void) throws {
    func fill(_ store: any WritableStore) throws {
      for (path, bytes) in published.documents.merging(
        uploaded.documents, uniquingKeysWith: { old, _ in old })
      {
        try put(bytes, path, store)
      }
      try body(store)
    }
    switch kind {
    case .folder:
      try folder.makeFolder("store")
      try fill(FolderStore(folder.place("store"), cancellation: Cancellation()))
    case .bucket:
      let bucket = try StandInBucket()
      try withExtendedLifetime(bucket) { try fill(bucket.store()) }
    }
  }

  private func put(_ bytes: [UInt8], _ path: String, _ store: any WritableStore) throws {
    try store.put(
      MemoryBytes(bytes), at: try #require(StorePath(path)), caching: .immutable, if: .none,
      advance: { _ in })
  }

  private func prune(_ store: any WritableStore, keeping: Int? = nil) throws -> StorePruner.Report {
    let change = CatalogChange(of: store, cancellation: Cancellation())
    return try StorePruner(change, keeping: keeping, days: 1, isDryRun: false).prune()
  }

  /// The objects of the release that the catalog does not refer to.
  private var orphans: Set<String> { Set(uploaded.documents.keys).subtracting(published.documents.keys) }

  private func expectObjects(_ expected: Set<String>, in store: any WritableStore) throws {
    #expect(Set(try store.list("").map(\.path)).subtracting([FolderStore.lockName]) == expected)
  }

  @Test(arguments: Kind.allCases) func `unreferenced objects are deleted`(_ kind: Kind) throws {
    try withStore(kind) { base in
      let report = try prune(ObservedStore(base, hasOldObjects: true))
      #expect(Set(report.items.map(\.path)) == orphans && orphans.count == 4)
      try expectObjects(Set(published.documents.keys), in: base)
    }
  }

  @Test func `the clock of a folder determines the age of its objects`() throws {
    try withStore(.folder) { base in
      let ahead: @Sendable () -> Timestamp = { Timestamp.now.adding(days: 3) }
      let store = FolderStore(base.name, cancellation: Cancellation(), now: ahead)
      let change = CatalogChange(of: store, cancellation: Cancellation(), now: ahead)
      let report = try StorePruner(change, keeping: nil, days: 1, isDryRun: false).prune()
      #expect(report.items.isEmpty)
      #expect(try #require(store.clockDifference) < -2 * Timestamp.secondsPerDay)
    }
  }

  @Test(arguments: Kind.allCases)
  func `objects that a later catalog refers to stay`(_ kind: Kind) throws {
    let catalog = try #require(uploaded.documents[StorePath.catalog.text])
    try withStore(kind) { base in
      let before = Set(try base.list("").map(\.path))
      let store = ObservedStore(base, hasOldObjects: true) { _, _ in
        try base.put(
          MemoryBytes(catalog), at: .catalog, caching: .revalidated, if: .none, advance: { _ in })
      }
      let report = try prune(store)
      #expect(report.items.isEmpty, "\(report.items)")
      try expectObjects(before, in: base)
      #expect(
        try StoreVerifier(StoreReader(base), progress: WorkProgress()).verify(isDeep: true).problems.isEmpty)
    }
  }

  @Test(arguments: Kind.allCases)
  func `an object that was written again after planning stays`(_ kind: Kind) throws {
    let package = try #require(uploaded.documents[uploaded.packagePath])
    let path = try #require(StorePath(uploaded.packagePath))
    try withStore(kind) { base in
      let store = ObservedStore(base, hasOldObjects: true) { _, store in
        try store.put(MemoryBytes(package), at: path, caching: .immutable, if: .none, advance: { _ in })
      }
      let report = try prune(store)
      #expect(Set(report.items.map(\.path)) == orphans.subtracting([path.text]))
      try expectObjects(Set(published.documents.keys).union([path.text]), in: base)
    }
  }

  @Test(arguments: Kind.allCases)
  func `a publication at the moment of a deletion is reported`(_ kind: Kind) throws {
    let catalog = try #require(uploaded.documents[StorePath.catalog.text])
    try withStore(kind) { base in
      let store = ObservedStore(
        base, hasOldObjects: true,
        afterCheck: { _, _ in
          try base.put(
            MemoryBytes(catalog), at: .catalog, caching: .revalidated, if: .none, advance: { _ in })
        })
      let error = #expect(throws: StoreError.self) { try prune(store) }
      #expect(error?.reason == .missing)
      #expect(error?.message.contains("publish the same package again") == true)
      // The others stay: the catalog refers to them.
      let count = Set(try base.list("").map(\.path)).intersection(orphans).count
      #expect(count == orphans.count - 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func `nothing is deleted if the catalog disappears or is damaged`(_ kind: Kind) throws {
    for isDamaged in [true, false] {
      try withStore(kind) { base in
        let before = Set(try base.list("").map(\.path)).subtracting([StorePath.catalog.text])
        let store = ObservedStore(base, hasOldObjects: true) { _, _ in
          try base.delete(.catalog)
          if isDamaged { try base.put("{}", at: .catalog) }
        }
        #expect(throws: (any Error).self) { try prune(store) }
        #expect(Set(try base.list("").map(\.path)).isSuperset(of: before))
      }
    }
  }
}
#endif

#if COMMAND_LINE_TOOL
import ContentPackage
import Foundation
import HTTPTransport
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Changes of the keys of a store that end between two writes.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")))
struct TrustEditorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["key", "new", "root", "other", "thief"] {
      let made = try Launch(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder.place(name)]
      ).run()
      try #require(made.code == 0)
    }
  }

  private func base() -> FolderStore { FolderStore(folder.place("store"), cancellation: Cancellation()) }

  private func signer(_ name: String) throws -> CatalogSigner {
    try CatalogSigner(keyFile: folder.place(name), cancellation: Cancellation())
  }

  private func key(_ name: String) throws -> TrustDocument.NamedKey {
    try #require(
      try TrustKeyFile.read(folder.place("\(name).pub"), cancellation: Cancellation()).first)
  }

  private func editor(_ store: any WritableStore, _ names: String...) throws -> TrustEditor {
    TrustEditor(of: store, signers: try names.map(signer), cancellation: Cancellation())
  }

  /// Makes a store with a catalog and a first trust document.
  private func makeStore() throws {
    let change = CatalogChange(of: base(), signers: [try signer("key")], cancellation: Cancellation())
    _ = try change.commit(isForced: true) { _ in }
    let (catalogKey, root) = (try key("key"), try key("root"))
    let result = try editor(base(), "key", "root").initialize { _ in
      TrustDocument(
        version: 1, catalogs: .init(keys: [catalogKey], threshold: 1),
        roots: .init(keys: [root], threshold: 1))
    }
    #expect(result.isPublished)
  }

  @Test func `a trust document that ends before the date of the catalog is refused`() throws {
    let change = CatalogChange(
      of: base(), signers: [try signer("key")], cancellation: Cancellation(),
      now: { Timestamp(seconds: 4_000_000_000) })
    _ = try change.commit(isForced: true) { _ in }
    let (catalogKey, root) = (try key("key"), try key("root"))
    for (seconds, reason) in [
      (3_900_000_000, "which is before the catalog of 2096-10-02T07:06:40Z"),
      (1_700_000_000, "which has passed"),
    ] as [(Int64, String)] {
      #expect {
        try editor(base(), "key", "root").initialize { _ in
          TrustDocument(
            version: 1, expires: Timestamp(seconds: seconds),
            catalogs: .init(keys: [catalogKey], threshold: 1), roots: .init(keys: [root], threshold: 1))
        }
      } throws: { error in
        if case TrustError.trustUnsuitable(_, let found)? = error as? TrustError {
          found.contains(reason)
        } else {
          false
        }
      }
    }
  }

  /// Replaces the catalog key.
  private func replaceKey(in store: any WritableStore) throws {
    let new = try key("new")
    _ = try editor(store, "root", "new").edit { document in
      document.catalogs.keys = [new]
    }
  }

  /// Checks that a client that knows the first document, and one that knows the second, accept the store.
  private func checkClients() throws {
    let keys = try TrustedKeys.read(folder.place("store/trust/1.json"))
    let reader = StoreReader(base(), trusting: keys)
    let current = try #require(try reader.catalog())
    let first = try TrustEnvelope(bytes: folder.bytes("store/trust/1.json"))
    let newest = try reader.newestTrust(from: .document(first.document), catalogTrust: current.catalog.trust)
    try reader.check(current, against: try #require(newest))
  }

  @Test func `after a stop before any write, clients accept the store, and a second attempt succeeds`() throws
  {
    try makeStore()
    let pristine = folder.place("pristine")
    try FileManager.default.copyItem(atPath: folder.place("store"), toPath: pristine)
    for writes in 0... {
      try FileManager.default.removeItem(atPath: folder.place("store"))
      try FileManager.default.copyItem(atPath: pristine, toPath: folder.place("store"))
      // The keys remember later documents of the removed store.
      for name in ["root", "new"] {
        try? FileManager.default.removeItem(atPath: folder.place("\(name).iapkg"))
      }
      let store = StoppingStore(base(), afterWrites: writes)
      let isDone = (try? replaceKey(in: store)) != nil
      try checkClients()
      if isDone {
        #expect(writes == 3, "the catalog, the document, and the deletion of the draft")
        break
      }
      do {
        try replaceKey(in: base())
      } catch let error as TrustError {
        // The document was published before the stop.
        guard case .trustUnsuitable = error else { throw error }
      }
      try checkClients()
      #expect(try editor(base()).state().newest?.version == 2)
    }
  }

  @Test func `a draft whose document was published is ignored, and the next change replaces it`() throws {
    try makeStore()
    let new = try key("new")
    _ = try editor(base()).edit { $0.catalogs.keys.append(new) }
    let store = StoppingStore(base(), afterWrites: 1)
    #expect(throws: StoreError.self) { try editor(store, "root").sign() }
    let state = try editor(base()).state()
    #expect(state.newest?.version == 2 && state.draft == nil)
    #expect(folder.has("store/trust/draft.json"))
    let other = try key("other")
    _ = try editor(base()).edit { $0.catalogs.keys.append(other) }
    #expect(try editor(base()).state().draft?.document.version == 3)
  }

  @Test func `a draft that replaces another one during signing is not signed`() throws {
    try makeStore()
    let (other, new) = (try key("other"), try key("new"))
    _ = try editor(base(), "root", "other").edit { document in
      document.roots = .init(keys: document.roots.keys + [other], threshold: 2)
    }
    _ = try editor(base()).edit { $0.catalogs.keys.append(new) }
    var planted = try #require(try editor(base()).state().draft?.document)
    planted.catalogs.keys = [try key("thief")]
    let (bytes, path) = (TrustEnvelope(planted).bytes, folder.place("store/trust/draft.json"))
    let store = StoppingStore(base(), afterWrites: 0, repeatsConflicts: true) {
      try? Data(bytes).write(to: URL(filePath: path))
    }
    #expect { try editor(store, "root").sign() } throws: { error in
      if case TrustError.otherDraft? = error as? TrustError { true } else { false }
    }
    #expect(try folder.bytes("store/trust/draft.json") == bytes)
  }

  @Test func `a catalog that another publisher writes before the document is published is reported`() throws {
    try makeStore()
    let path = folder.place("store/catalog.json")
    let old = try Data(contentsOf: URL(filePath: path))
    let new = try key("new")
    let store = StoppingStore(base(), afterWrites: 1) { try? old.write(to: URL(filePath: path)) }
    let result = try editor(store, "root", "new").edit { $0.catalogs.keys = [new] }
    #expect(result.isPublished && !result.isAccepted)
    #expect(try editor(base()).state().acceptsCatalog == false)
  }
}

/// A store that stops before a write, as a killed process does, or lets another process write there.
private final class StoppingStore: WritableStore {
  private let base: any WritableStore
  private let rest: Mutex<Int>
  /// The write of another process; nil for a stop.
  private let interlude: (@Sendable () -> Void)?

  /// Whether conflicts repeat the work, as in a bucket.
  private let repeatsConflicts: Bool

  init(
    _ base: any WritableStore, afterWrites count: Int, repeatsConflicts: Bool = false,
    interlude: (@Sendable () -> Void)? = nil
  ) {
    self.base = base
    self.repeatsConflicts = repeatsConflicts
    self.interlude = interlude
    rest = Mutex(count)
  }

  private func write() throws(StoreError) {
    let left = rest.withLock { rest in
      rest -= 1
      return rest
    }
    guard left < 0 else { return }
    guard let interlude else { throw StoreError(.cancelled, name, "stopped") }
    if left == -1 { interlude() }
  }

  var name: String { base.name }
  var connections: Int? { base.connections }
  var bypassingCaches: (any Store)? { base.bypassingCaches }
  var retry: Retry { base.retry }
  var clockDifference: Int64? { base.clockDifference }

  func status(of path: StorePath) throws(StoreError) -> StoredStatus? { try base.status(of: path) }
  func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject? {
    try base.object(at: path, limit: limit)
  }
  func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader {
    try base.open(path, range: range)
  }
  func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    try write()
    return try base.put(content, at: path, caching: caching, if: condition, advance: advance)
  }
  func list(_ prefix: String) throws(StoreError) -> [StoredItem] { try base.list(prefix) }
  func delete(_ path: StorePath) throws(StoreError) {
    try write()
    try base.delete(path)
  }
  func leftovers() throws(StoreError) -> [StoredItem] { try base.leftovers() }
  func discard(_ leftover: StoredItem) throws(StoreError) { try base.discard(leftover) }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    guard repeatsConflicts else { return try base.exclusively(work) }
    return try base.exclusively { try OptimisticRetry.run(on: name, Cancellation(), work) }
  }
}
#endif

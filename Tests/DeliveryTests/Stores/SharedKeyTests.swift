#if COMMAND_LINE_TOOL
import ContentPackage
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Two publishers at once with one key: the key remembers a release of one after the other has read the catalog.
@Suite struct SharedKeyTests {
  enum Work: CaseIterable { case check, dryRun, pruning, renewal }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try ChildProcess.run(
      ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.place("key")], input: [], mayPrompt: false,
      variables: [:], cancellation: Cancellation())
    #expect(outcome.code == 0)
    for name in ["one", "two"] {
      try folder.makeFolder("\(name)/Contents")
      try folder.write(ForgedArchive.manifest("com.example.\(name)", "1.0"), to: "\(name)/ContentInfo.plist")
      try folder.write(name, to: "\(name)/Contents/text")
    }
  }

  private func change(of store: any Store) throws -> CatalogChange {
    let signer = try CatalogSigner(keyFile: folder.place("key"), cancellation: Cancellation())
    return CatalogChange(of: store, signers: [signer], cancellation: Cancellation())
  }

  private var store: FolderStore { FolderStore(folder.place("store"), cancellation: Cancellation()) }

  private func publish(_ name: String) throws {
    let releaser = try FolderReleaser(
      try change(of: store),
      options: .init(channel: .stable, raisesVersions: false, usesCache: false, isDryRun: false),
      builder: PackageBuilder())
    let release = try releaser.prepare(folder.place(name), FolderChoices()) { _ in true }
    _ = try releaser.commit([release])
  }

  @Test(arguments: Work.allCases)
  func `a release that the key remembers only after the catalog was read is not lost`(
    _ work: Work
  ) throws {
    try publish("one")
    let failure = Mutex<(any Error)?>(nil)
    let observed = ObservedStore(
      store,
      afterCatalog: {
        do { try publish("two") } catch { failure.withLock { $0 = error } }
      })
    let change = try change(of: observed)
    switch work {
    case .check: try change.checkWritable()
    case .dryRun: _ = try change.dryRun { _ in }
    case .pruning: _ = try StorePruner(change, keeping: nil, days: 1, isDryRun: true).prune()
    case .renewal: _ = try change.renew(atLeast: nil)
    }
    #expect(failure.withLock { $0 } == nil)
    #expect(change.restoredSequences == nil)
    #expect(try store.catalogSequence() == (work == .renewal ? 3 : 2))
  }

  @Test func `remembering fails while another process holds the lock of the folder`() throws {
    let memory = KeyMemory(keyFile: folder.place("key"))
    let stopped = try DirectoryHandle.open(folder.path)
    #expect(try stopped.lock())
    let error = #expect(throws: FileError.self) {
      try memory.remember(KeyMemory.Change(sequence: 3), of: "store", timeout: 0)
    }
    #expect(error?.operation == .lock)
    #expect(memory.entry(of: "store") == nil)
    withExtendedLifetime(stopped) {}
  }
}

extension FolderStore {
  fileprivate func catalogSequence() throws -> Int64? { try StoreReader(self).catalog()?.catalog.sequence }
}
#endif

import ContentPackage
import Installation
import Support
import TestSupport
import Testing

@testable import Delivery

/// Staged rollouts to two clients of a store.
@Suite struct ClientRolloutTests {
  private let bench: FetchBench
  private var product: ProductIdentifier { bench.product }
  /// The first takes part in a share of 10 % of version 2.0, and the last in none below 90 %.
  private static let clients = ["first", "last"]

  /// A store with version 1.0, which both clients have, and version 2.0 in rollout.
  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0")
    for client in Self.clients { try bench.fetch(into: client) }
    try bench.publish("2.0") { $0.rollout = try rollout("10%") }
    try writeNumber(of: "first") { $0.takesPart(in: try share("10%"), of: product, try version("2.0")) }
    try writeNumber(of: "last") { try !$0.takesPart(in: share("90%"), of: product, version("2.0")) }
  }

  private func version(_ text: String) throws -> ContentVersion { try #require(ContentVersion(text)) }
  private func share(_ text: String) throws -> RolloutShare { try #require(RolloutShare(percentage: text)) }

  private func rollout(_ text: String, since: Timestamp = Timestamp(seconds: 1), days: Int64? = nil) throws
    -> Rollout
  {
    Rollout(share: try share(text), since: since, until: days.map { since.adding(days: $0) })
  }

  private func writeNumber(of client: String, _ isWanted: (RolloutNumber) throws -> Bool) throws {
    for index in 0... {
      let digits = String(index, radix: 16)
      let note = Array((String(repeating: "0", count: 32 - digits.count) + digits + "\n").utf8)
      guard try isWanted(#require(RolloutNumber(note: note))) else { continue }
      return try bench.folder.write(note, to: "\(client)/.iapkg/number")
    }
  }

  private func setRollout(_ rollout: Rollout?) throws { try bench.edit("2.0") { $0.rollout = rollout } }

  private func installedVersions() throws -> [String?] {
    try Self.clients.map { try bench.intactVersion(in: $0) }
  }

  private func updateBoth() throws {
    for client in Self.clients { try bench.update(into: client) }
  }

  @Test func `a release in rollout reaches the clients of its share, and all at the end`() throws {
    let plan = try #require(try bench.update(for: .survey, into: "first").plan)
    #expect(try plan.share == share("10%") && plan.contentVersion == version("2.0"))
    let held = try #require(try bench.update(for: .survey, into: "last").current)
    #expect(try held.pending?.contentVersion == version("2.0") && held.pending?.share == share("10%"))
    try updateBoth()
    #expect(try installedVersions() == ["2.0", "1.0"])
    #expect(try bench.fetch(into: "last").isUpToDate)
    try setRollout(rollout("50%"))
    try updateBoth()
    #expect(try installedVersions() == ["2.0", "1.0"])
    try setRollout(nil)
    try updateBoth()
    #expect(try installedVersions() == ["2.0", "2.0"])
  }

  @Test func `a paused rollout reaches no client, and removes no update`() throws {
    try bench.update(into: "first")
    try setRollout(rollout("0%"))
    for joins in [false, true] {
      let current = try #require(try bench.update(joiningRollouts: joins, into: "last").current)
      #expect(current.pending?.share == RolloutShare.none)
    }
    #expect(try bench.update(into: "first").current != nil)
    #expect(try bench.fetch(into: "first").isUpToDate)
    #expect(try installedVersions() == ["2.0", "1.0"])
  }

  @Test func `a client that joins rollouts takes part`() throws {
    try setRollout(rollout("0.0001%"))
    let joined = try bench.update(joiningRollouts: true, into: "last")
    #expect(joined.fetched?.installation.outcome == .installed)
    let choice = ReleaseChoice(contentVersion: try version("2.0"))
    try bench.fetch(nil, choice, into: "other")
    #expect(try bench.intactVersion(in: "last") == "2.0" && bench.intactVersion(in: "other") == "2.0")
  }

  @Test func `a folder draws its number once, when a rollout needs it`() throws {
    try setRollout(nil)
    try bench.fetch(into: "new")
    #expect(!bench.folder.has("new/.iapkg/number"))
    try bench.publish("3.0") { $0.rollout = try rollout("50%") }
    try bench.update(for: .dryRun, into: "new")
    #expect(!bench.folder.has("new/.iapkg/number"))
    try bench.update(for: .survey, into: "new")
    let number = try bench.folder.bytes("new/.iapkg/number")
    #expect(RolloutNumber(note: number) != nil)
    try bench.publish("4.0") { $0.rollout = try rollout("50%") }
    try bench.update(into: "new")
    _ = try InstalledProducts(bench.access("new")).remove(product)
    try bench.fetch(into: "new")
    #expect(try bench.folder.bytes("new/.iapkg/number") == number)
    // A damaged number is drawn again.
    try bench.folder.write("x", to: "new/.iapkg/number")
    try bench.update(for: .survey, into: "new")
    #expect(try RolloutNumber(note: bench.folder.bytes("new/.iapkg/number")) != nil)
  }

  @Test func `a first installation follows the rollout too`() throws {
    try bench.publish("1.0", of: bench.other) { $0.rollout = try rollout("0%") }
    #expect(throws: FetchError.inRollout(bench.other, try version("1.0"), share: .none)) {
      try bench.fetch(bench.other, into: "last")
    }
    try bench.fetch(bench.other, ReleaseChoice(contentVersion: version("1.0")), into: "last")
  }

  @Test func `a schedule raises the share with the time of the store`() throws {
    let now = Timestamp.now
    try bench.forgeCatalog { $0.published = now }
    try setRollout(rollout("10%", since: now, days: 7))
    try bench.update(into: "last")
    #expect(try bench.intactVersion(in: "last") == "1.0")
    try setRollout(rollout("10%", since: now.adding(days: -365), days: 7))
    try bench.update(into: "last")
    #expect(try bench.intactVersion(in: "last") == "2.0")
  }

  @Test func `a rollout that begins after its catalog is refused`() throws {
    try setRollout(rollout("10%", since: Timestamp.now.adding(days: 2)))
    expectIntegrityError("the rollout of version 2.0 begins at") { try bench.update(into: "first") }
    #expect(try bench.intactVersion(in: "first") == "1.0")
  }

  @Test func `a critical release skips the rollout`() throws {
    try bench.edit("2.0") {
      ($0.rollout, $0.critical) = (try? rollout("0%"), CriticalRelease(below: ContentVersion("2.0")))
    }
    for client in Self.clients {
      #expect(try bench.update(for: .survey, into: client).plan?.isCritical == true)
    }
    try bench.update(into: "last")
    #expect(try bench.intactVersion(in: "last") == "2.0")
    try bench.publish("3.0") { $0.rollout = nil }
    // The later release stays critical below 2.0.
    let first = try #require(try bench.update(for: .survey, into: "first").plan)
    #expect(first.contentVersion.text == "3.0" && first.isCritical)
    #expect(try bench.update(for: .survey, into: "last").plan?.isCritical == false)
  }

  #if COMMAND_LINE_TOOL
  @Test func `prune keeps the release of the clients that do not take part`() throws {
    let store = FolderStore(bench.folder.place("store"), cancellation: Cancellation())
    func pruned() throws -> [String] {
      let change = CatalogChange(of: store, cancellation: Cancellation())
      return try StorePruner(change, keeping: 1, days: 1, isDryRun: true).prune().releases.map {
        $0.version.text
      }
    }
    #expect(try pruned().isEmpty)
    try setRollout(nil)
    #expect(try pruned() == ["1.0"])
  }
  #endif
}

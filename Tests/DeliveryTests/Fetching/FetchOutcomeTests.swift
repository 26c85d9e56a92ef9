import ContentPackage
import Foundation
import Installation
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import Delivery

/// Fetches and updates from a folder, and the reasons why they install nothing.
@Suite struct FetchOutcomeTests {
  private let bench: FetchBench
  private var product: ProductIdentifier { bench.product }
  private var store: String { bench.folder.place("store") }
  private var cover: String { "Documents/\(product)/cover.txt" }

  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0")
  }

  private func version(_ text: String) throws -> ContentVersion { try #require(ContentVersion(text)) }

  @Test func `a release that is missing, withdrawn or for a newer app is refused with its reason`() throws {
    #expect(throws: PublishingError.noProduct(bench.other, store: store)) { try bench.fetch(bench.other) }
    #expect(throws: FileError.self) { try bench.fetch(from: "nothing") }
    let (nine, beta) = (try version("9"), try #require(Channel("beta")))
    #expect(throws: PublishingError.noVersion(product, nine, store: store)) {
      try bench.fetch(nil, ReleaseChoice(contentVersion: nine))
    }
    #expect(throws: FetchError.noRelease(product, channel: beta, store: store)) {
      try bench.fetch(nil, ReleaseChoice(channel: beta))
    }
    try bench.publish("1.1", minimumAppVersion: "3.0")
    let (one, app, later) = (try version("1.1"), try version("2.9"), try version("3.0"))
    #expect(throws: FetchError.appTooOld(product, one, minimum: later)) {
      try bench.fetch(nil, ReleaseChoice(contentVersion: one, appVersion: app))
    }
    try bench.fetch(nil, ReleaseChoice(appVersion: app))
    #expect(try bench.intactVersion() == "1.0")
    try bench.edit("1.1") { $0.withdrawn = "broken" }
    #expect(throws: FetchError.withdrawn(product, one, reason: "broken")) {
      try bench.fetch(nil, ReleaseChoice(contentVersion: one))
    }
    #expect(try bench.intactVersion() == "1.0")
  }

  @Test func `an installed version stays if all releases are withdrawn, and the reason is reported`() throws {
    try bench.fetch()
    try bench.publish("1.1")
    for version in ["1.0", "1.1"] { try bench.edit(version) { $0.withdrawn = "wrong cover" } }
    for purpose in [ReleaseFetcher.Purpose.survey, .installation] {
      let current = try #require(try bench.update(for: purpose).current)
      #expect(current.withdrawn == "wrong cover" && current.availableVersion == nil)
    }
    #expect(throws: FetchError.noRelease(product, channel: .stable, store: store)) { try bench.fetch() }
    #expect(try bench.intactVersion() == "1.0")
  }

  @Test(arguments: ["products/", ".json", ".pages", ".pkg"])
  func `damage to any object of a store folder is found`(_ part: String) throws {
    let path = try bench.object {
      part == "products/" ? $0.hasPrefix(part) : $0.hasPrefix("releases/") && $0.hasSuffix(part)
    }
    var bytes = try bench.folder.bytes("store/\(path)")
    let text = Array((part == ".pkg" ? "a cover" : "").utf8)
    let index = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[index] ^= 1
    try bench.folder.write(bytes, to: "store/\(path)")
    expectIntegrityError(path) { try bench.fetch() }
    #expect(!bench.folder.has("Documents/\(product)"))
  }

  // MARK: Dry runs

  private func dryRun(
    _ choice: ReleaseChoice = ReleaseChoice(), _ context: WorkContext = WorkContext(),
    options: PackageInstaller.Options = .init()
  ) throws -> ReleaseFetcher.Outcome {
    try bench.fetcher(options: options, context).fetch(product, choice, keeping: .none, for: .dryRun)
  }

  @Test func `a dry run refuses what the installation would refuse`() throws {
    try bench.publish("1.1", FetchBench.book(cover: String(repeating: "x", count: 5_000)))
    let small = WorkContext(limits: Limits(bytes: 4_000))
    #expect(try dryRun(ReleaseChoice(), small).refusal?.outcome == .invalid)
    try bench.fetch()
    let choice = ReleaseChoice(contentVersion: try version("1.0"))
    #expect(try dryRun(choice).refusal?.outcome == .downgradeRefused)
    try bench.folder.remove("Documents")
    try bench.folder.write("mine", to: "Documents/\(product)/mine.txt")
    #expect(throws: InstallationError.self) { try dryRun() }
    let forced = try dryRun(options: .init(force: true))
    #expect(forced.plan?.contentVersion == ContentVersion("1.1") && forced.refusal == nil)
    #expect(try bench.folder.names("Documents/\(product)") == ["mine.txt"])
  }

  @Test func `a dry run finds an intact version installed, and changes nothing`() throws {
    try bench.fetch()
    let before = bench.snapshot("Documents")
    let planned = try #require(try dryRun().fetched)
    #expect(planned.isUpToDate)
    #expect(try bench.update(for: .dryRun).current?.contentVersion == ContentVersion("1.0"))
    #expect(bench.snapshot("Documents") == before)
  }

  // MARK: Damaged installations

  @Test func `a version that is not intact is installed again on demand, also in another layout`() throws {
    try bench.fetch()
    try bench.folder.remove(cover)
    guard case .damaged(let found) = try bench.fetch().installation.outcome else {
      Issue.record("the damage is not found")
      return
    }
    #expect(found.missing.map(\.escaped) == ["cover.txt"])
    #expect(try bench.update(for: .survey).current != nil, "nothing newer is there")
    try bench.fetch(options: .init(force: true))
    #expect(try bench.intactVersion() == "1.0")
    try bench.update(options: .init(layout: .versioned))
    #expect(try bench.folder.bytes("Documents/\(product)/current/cover.txt") == Array("a cover".utf8))
  }

  @Test func `the version of a product whose folder is missing is that of its record`() throws {
    try bench.fetch()
    try bench.publish("1.1")
    try bench.update()
    try bench.folder.remove("Documents/\(product)")
    let plan = try #require(try bench.update(for: .survey).plan)
    #expect(try plan.installedVersion == version("1.1") && plan.contentVersion == version("1.1"))
    #expect(try bench.update().fetched?.installation.previousVersion == "1.1")
    #expect(try bench.intactVersion() == "1.1")
  }

  @Test func `a missing folder that no release restores is reported by a survey, and else an error`() throws {
    try bench.fetch()
    try bench.publish("1.1")
    try bench.update()
    try bench.edit("1.1") { $0.withdrawn = "broken" }
    #expect(try bench.update(for: .survey).current?.lacksFolder == false)
    try bench.folder.remove("Documents/\(product)")
    let (installed, lower) = (try version("1.1"), try version("1.0"))
    #expect(try bench.update(for: .survey).current?.lacksFolder == true)
    for purpose in [ReleaseFetcher.Purpose.dryRun, .installation] {
      #expect(throws: FetchError.folderMissing(product, installed, lower: lower)) {
        try bench.update(for: purpose)
      }
    }
    try bench.edit("1.0") { $0.withdrawn = "broken" }
    #expect(throws: FetchError.folderMissing(product, installed, lower: nil)) { try bench.update() }
    #expect(try bench.update(for: .survey).current?.lacksFolder == true)
  }

  @Test func `a download without a note, and a stray file, hide no other download`() throws {
    try bench.fetch()
    let downloads = "Documents/.iapkg/downloads"
    for name in ["com.example.a", product.text] {
      try bench.folder.makeFolder("\(downloads)/\(name)/content")
    }
    try bench.folder.write("stray", to: "\(downloads)/com.example.b")
    let unfinished = try #require(ProductIdentifier("com.example.a"))
    let found = try UnfinishedDownload.all(in: bench.access())
    #expect(found.map(\.productIdentifier) == [unfinished, product])
    #expect(found.allSatisfy { $0.note == nil && $0.receivedBytes == 0 })
    #expect(
      try UnfinishedDownload.ofNew(in: bench.access()) == [
        .unfinished(unfinished, ReleaseChoice(), store: nil, documents: bench.folder.place("Documents"))
      ])
    try bench.update()
    #expect(!bench.folder.has("\(downloads)/\(product)"))
  }

  // MARK: Records

  @Test func `an update records the newest catalog, also if it installs nothing`() throws {
    try bench.fetch()
    let old = try bench.folder.bytes("store/catalog.json")
    // The same version in another channel changes nothing for this product.
    try bench.publish("2.0", channel: try #require(Channel("beta")))
    try bench.update(for: .dryRun)
    #expect(try bench.record()?.sequence == 1)
    #expect(try bench.update().current != nil)
    #expect(try bench.record()?.sequence == 2)
    let paths = [bench.recordPath(), "Documents/.iapkg/origins/\(product)"]
    let inodes = try paths.map(bench.inode)
    try bench.update()
    #expect(try paths.map(bench.inode) == inodes, "an unchanged record is not written")
    try bench.folder.write(old, to: "store/catalog.json")
    let error = #expect(throws: IntegrityError.self) { try bench.update() }
    #expect(error?.advice == .renewCatalog(above: 2))
  }

  @Test(arguments: [true, false])
  func `a catalog is recorded after a survey, and after a refusal`(_ isSurvey: Bool) throws {
    try bench.fetch()
    try bench.publish("1.1")
    try bench.copy("store", to: "older")
    try bench.edit("1.1") { $0.withdrawn = "typo" }
    if isSurvey {
      try bench.update(for: .survey)
    } else {
      let choice = ReleaseChoice(contentVersion: try version("1.1"))
      #expect(throws: FetchError.self) { try bench.fetch(nil, choice) }
    }
    try bench.copy("older", to: "store")
    expectIntegrityError("it is an older state") { try bench.update() }
    #expect(try bench.intactVersion() == "1.0")
  }
}

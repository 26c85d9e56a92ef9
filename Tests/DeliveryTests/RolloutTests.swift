import ContentPackage
import StrictJSON
import Support
import Testing

@testable import Delivery

/// Staged rollouts: shares, schedules, and the releases of a client.
@Suite struct RolloutTests {
  private let product: ProductIdentifier

  init() throws { product = try #require(ProductIdentifier("com.example.book")) }

  private func share(_ text: String) throws -> RolloutShare { try #require(RolloutShare(percentage: text)) }

  private func number(_ index: Int) throws -> RolloutNumber {
    let digits = String(hexadecimal: (0..<16).map { UInt8(truncatingIfNeeded: index >> (8 * ($0 % 8))) })
    return try #require(RolloutNumber(note: Array("\(digits)\n".utf8)))
  }

  @Test func `a pruned critical release is critical again when it is published again`() throws {
    let forged = try ForgedRelease(product, "1.0", [("Contents/a", [1])])
    var release = try #require(forged.list.releases.first)
    var list = ProductReleases(productIdentifier: product)
    for critical in [CriticalRelease(below: nil), nil] {
      release.critical = critical
      list.insert(release)
      #expect(list.releases.first?.critical == CriticalRelease(below: nil))
      list.prune(list.releases)
    }
  }

  @Test(arguments: [
    ("0%", 0, "0 %"), ("10%", 100_000, "10 %"), ("12.5%", 125_000, "12.5 %"), ("0.0001%", 1, "0.0001 %"),
    ("100%", 1_000_000, "100 %"), ("100.0%", 1_000_000, "100 %"), ("007%", 70_000, "7 %"),
    ("33.3333%", 333_333, "33.3333 %"),
  ])
  func `a share is a percentage`(_ text: String, _ millionths: Int64, _ shown: String) throws {
    let share = try share(text)
    #expect(share.millionths == millionths && share.percentage == shown)
  }

  @Test(arguments: [
    "", "%", "10", "0.1", "-1%", "+1%", "100.0001%", "101%", "1000%", "NaN%", "inf%", "1e1%", "10 %", ".5%",
    "5.%",
    "0.00001%", "9223372036854775808%", "１０%", "1.2.3%",
  ])
  func `other text is not a share`(_ text: String) { #expect(RolloutShare(percentage: text) == nil) }

  @Test func `a scheduled share grows to all clients in seven equal steps`() throws {
    let (start, day) = (Timestamp(seconds: 1_000_000), Timestamp.secondsPerDay)
    let rollout = Rollout(share: try share("30%"), since: start, until: start.adding(days: 7))
    let shares = (0...7).map { rollout.share(at: start.adding(days: $0)).millionths }
    #expect(shares == (0...7).map { 300_000 + 100_000 * Int64($0) })
    #expect(rollout.share(at: Timestamp(seconds: start.seconds + day - 1)).millionths == 300_000)
    // A wrong clock cannot exceed the range of the schedule.
    #expect(rollout.share(at: Timestamp(seconds: 0)).millionths == 300_000)
    #expect(rollout.share(at: Timestamp.documented.upperBound) == .all)
    let fixed = Rollout(share: try share("30%"), since: start)
    #expect(fixed.share(at: Timestamp.documented.upperBound).millionths == 300_000)
  }

  @Test func `a share selects its part of 10,000 clients within 1 %, and a growing share only adds clients`()
    throws
  {
    let numbers = try (0..<10_000).map(number)
    for text in ["1.0", "1.1", "2.0"] {
      let version = try #require(ContentVersion(text))
      var before: Set<Int> = []
      for percentage in ["0%", "0.5%", "1%", "5%", "10%", "25%", "50%", "75%", "99%", "100%"] {
        let share = try share(percentage)
        let now = Set(numbers.indices.filter { numbers[$0].takesPart(in: share, of: product, version) })
        #expect(now.isSuperset(of: before), "\(text) \(percentage)")
        #expect(
          abs(Double(now.count) / 10_000 - share.fraction) < 0.01, "\(text) \(percentage): \(now.count)")
        if share == .none || share == .all { #expect(now.count == (share == .all ? 10_000 : 0)) }
        before = now
      }
    }
  }

  @Test func `rollouts of other versions and products reach other clients`() throws {
    let numbers = try (0..<1_000).map(number)
    let other = try #require(ProductIdentifier("com.example.other"))
    let (one, two) = (try #require(ContentVersion("1.0")), try #require(ContentVersion("2.0")))
    let half = try share("50%")
    func part(_ product: ProductIdentifier, _ version: ContentVersion) -> Set<Int> {
      Set(numbers.indices.filter { numbers[$0].takesPart(in: half, of: product, version) })
    }
    for (left, right) in [(part(product, one), part(product, two)), (part(product, one), part(other, one))] {
      #expect((150...350).contains(left.intersection(right).count))
    }
  }

  @Test func `a number has 128 random bits, and any other note is rejected`() throws {
    let (one, two) = (RolloutNumber.random(), RolloutNumber.random())
    #expect(one != two && one.text.utf8.count == 32 && RolloutNumber(note: one.note) == one)
    for note in [
      "", "\n", one.text, "\(one.text)\n\n", "\(one.text.dropLast())G\n", "\(one.text.uppercased())x\n",
    ] {
      #expect(RolloutNumber(note: Array(note.utf8)) == nil)
    }
  }

  // MARK: - The releases of a client

  private func release(
    _ version: String, share: String? = nil, critical: CriticalRelease? = nil, beta: Bool = false,
    app: String? = nil, maximumApp: String? = nil, withdrawn: String? = nil
  ) throws -> Release {
    let version = try #require(ContentVersion(version))
    let reference = DocumentTests.sample.package
    return Release(
      contentVersion: version, channel: try #require(Channel(beta ? "beta" : "stable")),
      minimumAppVersion: app.flatMap(ContentVersion.init),
      maximumAppVersion: maximumApp.flatMap(ContentVersion.init), published: Timestamp(seconds: 1),
      withdrawn: withdrawn,
      rollout: try share.map { Rollout(share: try self.share($0), since: Timestamp(seconds: 1)) },
      critical: critical, contentBytes: 1, files: 1, package: reference, index: reference, pages: reference)
  }

  private func offered(
    _ releases: [Release], _ participation: ReleaseClient.Participation = .none, installed: String? = nil,
    app: String? = nil
  ) -> String {
    let list = ProductReleases(
      productIdentifier: product, releases: releases.sorted { $0.contentVersion > $1.contentVersion })
    let client = ReleaseClient(
      appVersion: app.flatMap(ContentVersion.init), installedVersion: installed.flatMap(ContentVersion.init),
      participation: participation, time: Timestamp(seconds: 10))
    let found = ClientReleases(of: list, in: .stable, for: client)
    return [
      found.newest?.contentVersion.text, found.incompatible.map { "app \($0.contentVersion)" },
      found.pending.map { "pending \($0.contentVersion)" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  @Test func `an app above the maximum of a release gets the previous release`() throws {
    let releases = try [release("1.0", maximumApp: "1"), release("2.0", app: "2", maximumApp: "2.5")]
    for (app, expected) in [("1", "1.0"), ("2", "2.0"), ("2.5.0", "2.0"), ("2.6", "app 2.0")] {
      #expect(offered(releases, app: app) == expected, "\(app)")
    }
    #expect(offered(releases) == "2.0")
  }

  @Test func `a client gets the newest release whose rollout includes it`() throws {
    let version = try #require(ContentVersion("2.0"))
    let half = try share("50%")
    let numbers = try (0..<64).map(number)
    let inside = try #require(numbers.first { $0.takesPart(in: half, of: product, version) })
    let outside = try #require(numbers.first { !$0.takesPart(in: half, of: product, version) })
    let releases = try [release("1.0"), release("2.0", share: "50%"), release("3.0", beta: true)]
    #expect(offered(releases, .number(inside)) == "2.0")
    #expect(offered(releases, .number(outside)) == "1.0, pending 2.0")
    #expect(offered(releases, .none) == "1.0, pending 2.0")
    #expect(offered(releases, .all) == "2.0")
    // The installed version is offered to a client outside of its rollout.
    #expect(offered(releases, .number(outside), installed: "2.0") == "2.0")
    #expect(offered(releases, .number(outside), installed: "3.0") == "1.0")
    let paused = try [release("1.0"), release("2.0", share: "0%")]
    for part in [.number(inside), .number(outside), .all, .none] as [ReleaseClient.Participation] {
      #expect(offered(paused, part) == "1.0, pending 2.0")
    }
    #expect(offered(try [release("2.0", share: "50%")], .number(outside)) == "pending 2.0")
    #expect(offered(try [release("1.0"), release("2.0", share: "50%", withdrawn: "x")], .all) == "1.0")
    #expect(offered([], .all) == "")
  }

  @Test func `a release for a newer app is not pending`() throws {
    let releases = try [release("1.0"), release("2.0", share: "50%", app: "3.0")]
    #expect(offered(releases, .none, app: "2.0") == "1.0")
    #expect(offered(releases, .none, app: "3.0") == "1.0, pending 2.0")
    #expect(offered(try [release("2.0", app: "3.0")], .none, app: "2.0") == "app 2.0")
  }

  @Test func `a critical release skips the rollout for the clients that it concerns`() throws {
    let two = try #require(ContentVersion("2.0"))
    let below = try [release("1.0"), release("2.0", share: "0%", critical: .init(below: two))]
    #expect(offered(below, .none, installed: "1.0") == "2.0")
    #expect(offered(below, .none, installed: "2.0") == "2.0")
    #expect(offered(below, .none) == "1.0, pending 2.0")
    let all = try [release("1.0"), release("2.0", share: "0%", critical: .init(below: nil))]
    #expect(offered(all, .none) == "2.0" && offered(all, .none, installed: "1.0") == "2.0")
  }

  @Test(
    arguments: [
      ("1.0", "2.0", true), ("1.0", "3.0", true), ("1.5", "3.0", false), ("2.0", "3.0", false),
      (nil, "3.0", false),
      ("1.0", "1.4", false), ("3.0", "2.0", false), ("0.5", "3.0", true),
    ] as [(String?, String, Bool)])
  func `a later release stays critical for lower installed versions`(
    _ installed: String?, _ version: String, _ isCritical: Bool
  ) throws {
    let version = try #require(ContentVersion(version))
    let client = ReleaseClient(
      installedVersion: installed.flatMap(ContentVersion.init), participation: .none,
      time: Timestamp(seconds: 10))
    let critical = CriticalRelease(below: ContentVersion("1.5"))
    var list = ProductReleases(
      productIdentifier: product,
      releases: try [release("3.0"), release("2.0", critical: critical), release("1.4"), release("1.0")])
    func found(_ channel: Channel = .stable) -> Bool {
      ClientReleases.isCritical(version, of: list, in: channel, for: client)
    }
    let beta = try #require(Channel("beta"))
    #expect(found() == isCritical && !found(beta))
    // A pruned release counts too, and a withdrawn one does not.
    list.prune([list.releases[1]])
    #expect(found() == isCritical)
    let sample = ProductReleases(
      productIdentifier: product, releases: [DocumentTests.sample], pruned: list.pruned)
    #expect(try ProductReleases(bytes: sample.bytes, of: product) == sample)
    list = ProductReleases(
      productIdentifier: product,
      releases: try [release("3.0"), release("2.0", critical: critical, withdrawn: "x"), release("1.0")])
    #expect(!found())
  }

  // MARK: - Documents

  private func parse(_ rollout: String) throws -> Release? {
    let sample = try release("1.0", share: "10%")
    let list = ProductReleases(
      productIdentifier: product, releases: [DocumentTests.sample.with(sample.rollout)])
    let text = String(decoding: list.bytes, as: UTF8.self)
    let written = #"{"share":0.1,"since":"1970-01-01T00:00:01Z","until":null}"#
    #expect(text.contains("\"rollout\":\(written),"))
    let changed = text.replacing(written, with: rollout)
    return try ProductReleases(bytes: Array(changed.utf8), of: product).releases.first
  }

  @Test(arguments: [
    ("0", 0), ("0.1", 100_000), ("0.100", 100_000), ("0.000001", 1), ("1", 1_000_000), ("1.0", 1_000_000),
    ("0.999999", 999_999),
  ])
  func `a document has a share from 0 to 1`(_ text: String, _ millionths: Int64) throws {
    let release = try parse(#"{"share":\#(text),"since":"1970-01-01T00:00:01Z","later":{}}"#)
    #expect(release?.rollout == Rollout(share: .init(millionths: millionths), since: Timestamp(seconds: 1)))
  }

  @Test(arguments: ["[]", "true", "{\"below\":2}", "{\"below\":\"x\"}", "{\"below\":9223372036854775808}"])
  func `an invalid critical release is refused`(_ critical: String) throws {
    var release = DocumentTests.sample
    release.critical = CriticalRelease(below: nil)
    let text = String(
      decoding: ProductReleases(productIdentifier: product, releases: [release]).bytes, as: UTF8.self)
    let written = #""critical":{"below":null}"#
    #expect(text.contains(written))
    #expect(try ProductReleases(bytes: Array(text.utf8), of: product).releases == [release])
    let changed = text.replacing(written, with: "\"critical\":\(critical)")
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: Array(changed.utf8), of: product) }
  }

  @Test func `a release without a rollout reaches all clients`() throws {
    #expect(try parse("null")?.rollout == nil)
    #expect(try parse("null")?.share(at: .now) == nil)
  }

  @Test(arguments: [
    "-0.1", "1.000001", "2", "1e-1", "1E0", "0.0000001", "NaN", "nan", "Infinity", "-", "", ".5", "0.", "01",
    "\"0.1\"",
    "null", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "92233720368547758080.5",
  ])
  func `a document with another share is refused`(_ share: String) {
    #expect(throws: DocumentError.self) { try parse(#"{"share":\#(share),"since":"1970-01-01T00:00:01Z"}"#) }
  }

  @Test(arguments: [
    "{}", "[]", "0.1", #"{"share":0.1}"#, #"{"since":"1970-01-01T00:00:01Z"}"#, #"{"share":0.1,"since":1}"#,
    #"{"share":0.1,"since":"1970-01-02T00:00:00Z","until":"1970-01-02T00:00:00Z"}"#,
    #"{"share":0.1,"since":"1970-01-02T00:00:00Z","until":"1970-01-01T00:00:00Z"}"#,
    #"{"share":0.1,"since":"1970-01-02T00:00:00Z","until":"10000-01-01T00:00:00Z"}"#,
    #"{"share":0.1,"since":"1970-01-02T00:00:00Z","until":9223372036854775808}"#,
  ])
  func `a rollout with wrong times is refused`(_ rollout: String) {
    #expect(throws: DocumentError.self) { try parse(rollout) }
  }
}

extension Release {
  fileprivate func with(_ rollout: Rollout?) -> Release {
    var release = self
    release.rollout = rollout
    return release
  }
}

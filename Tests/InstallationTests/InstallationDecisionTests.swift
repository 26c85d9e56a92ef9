import ContentPackage
import SafeFiles
import Testing
import ZipArchive

@testable import Installation

/// The decisions on installing version 2.0, by the state of the product.
struct InstallationDecisionTests {
  /// A state, a request and the expected decision.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The version in use, then the previous ones; empty if iapkg has installed nothing.
    var versions: [String] = []
    var layout = InstallationLayout.flat
    var isMarked = false
    /// The kind of the item with the product's name.
    var kind: FileStatus.Kind? = .folder
    var isEmpty = false
    var extra: [String] = []
    var options = PackageInstaller.Options()
    let expected: Expected

    init(
      _ testDescription: String, versions: [String] = [], layout: InstallationLayout = .flat,
      isMarked: Bool = false, kind: FileStatus.Kind? = .folder, isEmpty: Bool = false, extra: [String] = [],
      options: PackageInstaller.Options = PackageInstaller.Options(), _ expected: Expected
    ) {
      self.testDescription = testDescription
      self.versions = versions
      self.layout = layout
      self.isMarked = isMarked
      self.kind = kind
      self.isEmpty = isEmpty
      self.extra = extra
      self.options = options
      self.expected = expected
    }
  }

  enum Expected: Equatable, Sendable {
    case install(
      InstallationLayout, ProductChange.Target, previous: [String], counterpart: String? = nil,
      marked: Bool = false)
    case compare, downgrade, unmanaged, unrecorded
  }

  private static let force = PackageInstaller.Options(force: true)

  static let cases: [Case] = [
    Case("a first installation", kind: nil, .install(.flat, .product, previous: [])),
    Case(
      "a first installation of versions side by side", kind: nil,
      options: .init(layout: .versioned), .install(.versioned, .product, previous: [])),
    Case("an empty folder is no obstacle", isEmpty: true, .install(.flat, .product, previous: [])),
    Case("an unmanaged folder is an obstacle", .unmanaged),
    Case("a link is an obstacle", kind: .link, .unmanaged),
    Case(
      "a file in place of the installed folder is an obstacle", versions: ["1.0"], kind: .file, .unmanaged),
    Case(
      "force replaces an unmanaged file", kind: .file, options: force, .install(.flat, .product, previous: [])
    ),
    Case(
      "a file in place of the installed folder does not become a previous version", versions: ["1.0"],
      kind: .file, options: force, .install(.flat, .product, previous: [])),
    Case("an update", versions: ["1.0"], .install(.flat, .product, previous: ["1.0"])),
    Case("a second update", versions: ["1.5", "1.0"], .install(.flat, .product, previous: ["1.5"])),
    Case(
      "an update that keeps two", versions: ["1.5", "1.0", "0.9"], options: .init(keptVersions: 2),
      .install(.flat, .product, previous: ["1.5", "1.0"])),
    Case(
      "an update that keeps none", versions: ["1.5"], options: .init(keptVersions: 0),
      .install(.flat, .product, previous: [])),
    Case("unmanaged files stop an update", versions: ["1.0"], extra: ["mine"], .unrecorded),
    Case(
      "force updates in spite of unmanaged files", versions: ["1.0"], extra: ["mine"], options: force,
      .install(.flat, .product, previous: ["1.0"])),
    Case(
      "an update keeps layout and mark", versions: ["1.0"], layout: .versioned, isMarked: true,
      .install(.versioned, .version, previous: ["1.0"], marked: true)),
    Case(
      "another layout replaces the whole folder", versions: ["1.0"], layout: .versioned,
      options: .init(layout: .flat), .install(.flat, .product, previous: ["1.0"])),
    Case(
      "without its folder, versions side by side start over", versions: ["1.0"], layout: .versioned,
      kind: nil,
      .install(.versioned, .product, previous: [])),
    Case("the same version is compared", versions: ["2.0", "1.0"], .compare),
    Case("another spelling of the same version is compared", versions: ["2"], .compare),
    Case("unmanaged files do not prevent the comparison", versions: ["2.0"], extra: ["mine"], .compare),
    Case(
      "force installs the same version and keeps the previous one", versions: ["2.0", "1.0"], options: force,
      .install(.flat, .product, previous: ["1.0"])),
    Case(
      "the same version in another layout must have the same content", versions: ["2.0", "1.0"],
      options: .init(layout: .versioned),
      .install(.versioned, .product, previous: ["1.0"], counterpart: "2.0")),
    Case(
      "the same version with a mark must have the same content", versions: ["2.0"], layout: .versioned,
      options: .init(excludesFromBackup: true),
      .install(.versioned, .version, previous: [], counterpart: "2.0", marked: true)),
    Case(
      "a previous version must have the same content", versions: ["1.0", "2.0"], layout: .versioned,
      .install(.versioned, .version, previous: ["1.0"], counterpart: "2.0")),
    Case("a lower version is a downgrade", versions: ["2.0.1"], .downgrade),
    Case("force does not allow a downgrade", versions: ["10"], options: force, .downgrade),
    Case(
      "a downgrade is allowed on request", versions: ["10"], options: .init(allowDowngrade: true),
      .install(.flat, .product, previous: ["10"])),
    Case(
      "a higher version without its folder is no obstacle", versions: ["10"], kind: nil,
      .install(.flat, .product, previous: [])),
  ]

  @Test(arguments: cases)
  func `the state of the product and the options determine the decision`(_ table: Case) throws {
    let version = try #require(ContentVersion("2.0"))
    switch (InstallationDecision(for: version, over: try state(table), table.options), table.expected) {
    case (.compare, .compare), (.refuseDowngrade, .downgrade), (.refuse(.unmanaged), .unmanaged),
      (.refuse(.unrecorded), .unrecorded):
      break
    case (.install(let plan), let expected):
      let found = Expected.install(
        plan.layout, plan.target, previous: plan.previous.map(\.contentVersion.text),
        counterpart: plan.counterpart?.contentVersion.text, marked: plan.isExcludedFromBackup)
      #expect(found == expected)
    case (let other, let expected): Issue.record("\(other), expected \(expected)")
    }
  }

  @Test(
    arguments: [
      (keep: 1, damaged: ["1.5"], kept: ["1.0"], replaced: ["1.5"]),
      (1, [], ["1.5"], []), (1, ["1.0"], ["1.5"], []), (1, ["1.5", "1.0"], ["0.9"], ["1.5", "1.0"]),
      (1, ["1.5", "1.0", "0.9"], ["1.5"], []), (2, ["1.5"], ["1.0", "0.9"], ["1.5"]),
      (2, ["1.5", "0.9"], ["1.5", "1.0"], []), (2, ["1.0", "0.9"], ["1.5", "1.0"], []),
      (3, ["1.5"], ["1.5", "1.0", "0.9"], []), (0, ["1.5"], [], []),
    ] as [(keep: Int, damaged: [String], kept: [String], replaced: [String])])
  func `intact versions are kept in place of damaged ones`(
    _ keep: Int, _ damaged: [String], _ kept: [String], _ replaced: [String]
  ) throws {
    let state = try state(Case("", versions: ["1.5", "1.0", "0.9"], .compare))
    let plan = InstallationPlan(
      for: try #require(ContentVersion("2.0")), over: state, .init(keptVersions: keep)
    ).keepingIntact { !damaged.contains($0.contentVersion.text) }
    #expect(plan.previous.map(\.contentVersion.text) == kept)
    #expect(plan.damaged.map(\.contentVersion.text) == replaced)
  }

  @Test(arguments: [false, true])
  func `another spelling of the name is refused in every state`(_ isForced: Bool) throws {
    let version = try #require(ContentVersion("2.0"))
    let product = try #require(ProductIdentifier("com.example.book"))
    let refusal = InstallationError.otherSpelling(
      of: product, path: "Documents/COM.example.book", installed: nil)
    for table in Self.cases {
      var state = try state(table)
      state.refusal = refusal
      let options = PackageInstaller.Options(force: isForced)
      #expect(InstallationDecision(for: version, over: state, options) == .refuse(refusal))
    }
  }

  private func state(_ table: Case) throws -> ProductState {
    let product = try #require(ProductIdentifier("com.example.book"))
    let versions = try table.versions.map {
      try InstalledVersion(contentVersion: #require(ContentVersion($0)), items: InstalledItems([], .standard))
    }
    var state = ProductState(path: "Documents/com.example.book")
    state.kind = table.kind
    state.isEmpty = table.isEmpty
    guard let installed = versions.first else { return state }
    let previous = Array(versions.dropFirst())
    state.record = InstallationRecord(
      product, layout: table.layout, isExcludedFromBackup: table.isMarked, installed: installed,
      previous: previous)
    state.inspection = ProductInspection(extra: table.extra.map { EntryPath($0) })
    state.previous = table.kind == nil ? [] : previous
    return state
  }
}

import ContentPackage
import Installation
import PackageForge
import SafeFiles
import Support
import Testing
import ZipArchive

/// A valid package with one defect, and the expected findings: each once, and no others.
struct HostilePackage: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The expected findings, in any order.
  let rules: [Rule]
  private let make: @Sendable () -> [UInt8]

  init(_ description: String, _ rules: Rule..., bytes: @escaping @Sendable () -> [UInt8]) {
    self.init(description, rules, bytes: bytes)
  }

  init(_ description: String, _ rules: [Rule], bytes: @escaping @Sendable () -> [UInt8]) {
    testDescription = description
    self.rules = rules
    make = bytes
  }

  /// Creates an accepted package, modified by `spoil`.
  init(_ description: String, _ rules: Rule..., spoil: @escaping @Sendable (inout ForgedArchive) -> Void) {
    self.init(description, rules, spoil: spoil)
  }

  init(_ description: String, _ rules: [Rule], spoil: @escaping @Sendable (inout ForgedArchive) -> Void) {
    self.init(description, rules) {
      var archive = ForgedArchive.book()
      spoil(&archive)
      return archive.bytes()
    }
  }

  /// Creates an accepted package with one more file, of this name.
  init(name: [UInt8], _ rules: Rule...) {
    self.init(EntryPath(bytes: name).escaped, rules) {
      var entry = ForgedEntry.file("forged", "x")
      entry.name = name
      entry.flags = 1 << 11
      $0.add(entry)
    }
  }

  init(name: String, _ rules: Rule...) {
    self.init("'" + EntryPath(name).escaped + "'", rules) { $0.add(.file(name, "x")) }
  }

  /// Creates an accepted package with one more link.
  init(link target: String, _ rules: Rule...) {
    self.init("'" + EntryPath(target).escaped.prefix(60) + "'", rules) {
      $0.add(.link("Contents/pages/link", to: target))
    }
  }

  /// Checks that the package is rejected with exactly these findings, and that an attempt to install it changes
  /// nothing.
  func checkRefusal(limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation) throws {
    let bench = try Bench(make())
    let findings = try bench.validate(limits)
    expect(findings, sourceLocation)
    #expect(findings.contains { $0.severity == .error }, sourceLocation: sourceLocation)
    try bench.expectNoTrace(limits, sourceLocation)
  }

  /// Checks that the package is accepted with exactly these warnings, and that all of its content is installed.
  func checkAcceptance(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let bench = try Bench(make())
    let findings = try bench.validate(Limits())
    expect(findings, sourceLocation)
    #expect(!findings.contains { $0.severity == .error }, sourceLocation: sourceLocation)
    try bench.expectInstallation(sourceLocation)
  }

  private func expect(_ findings: [Finding], _ sourceLocation: SourceLocation) {
    let found = findings.map(\.rule.rawValue).sorted()
    #expect(found == rules.map(\.rawValue).sorted(), "\(findings)", sourceLocation: sourceLocation)
    for finding in findings {
      let hidden = (finding.message + finding.remedy).unicodeScalars.filter(\.isHiddenInText)
      #expect(hidden.isEmpty, "\(finding)", sourceLocation: sourceLocation)
    }
  }
}

/// The names of the entries that tests modify: the manifest, a stored file, a deflated file with a data descriptor, and a
/// folder.
enum Name {
  static let manifest = "ContentInfo.plist"
  static let stored = "Contents/pages/one.txt"
  static let deflated = "Contents/cover.txt"
  static let folder = "Contents/pages/"
}

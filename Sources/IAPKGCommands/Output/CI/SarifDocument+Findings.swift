import ContentPackage
import SafeFiles
import Support
import ZipArchive

extension SarifDocument: ProgramReport {
  init(_ inputs: CheckedInputs) {
    var artifacts = ArtifactList()
    let ruleIndices = Dictionary(
      uniqueKeysWithValues: Rule.allCases.enumerated().map { ($0.element, $0.offset) })
    let results = inputs.reports.flatMap { report in
      let input = artifacts.index(of: report.path.utf8, parent: nil)
      return report.findings.map { finding in
        Result(
          ruleId: finding.rule.rawValue, ruleIndex: ruleIndices[finding.rule, default: 0],
          level: finding.severity.rawValue, message: Text(text: "\(finding.message); \(finding.remedy)"),
          locations: [artifacts.location(of: finding, in: report, at: input)],
          suppressions: Self.suppressions(of: finding, in: report, inputs))
      }
    }
    runs = [
      Run(
        tool: Tool(), invocations: [Invocation(inputs.errors, inputs.status)], artifacts: artifacts.list,
        results: results)
    ]
  }

  private static func suppressions(
    of finding: Finding, in report: ValidationReport, _ inputs: CheckedInputs
  ) -> [Result.Suppression] {
    if inputs.rules.ignored.contains(finding.rule) {
      return [Result.Suppression(justification: "ignored by the option --ignore")]
    }
    return inputs.reason(for: finding, in: report).map { [Result.Suppression(justification: $0)] } ?? []
  }

  var lines: [String] { [Console.text(json: self)] }

  static func lines(for error: CommandError, of command: String) -> [String] {
    let invocation = Invocation([error], error.status)
    return SarifDocument(runs: [Run(tool: Tool(), invocations: [invocation], artifacts: [], results: [])])
      .lines
  }
}

extension SarifDocument.Invocation {
  fileprivate init(_ errors: [CommandError], _ status: ExitStatus) {
    executionSuccessful = errors.isEmpty
    exitCode = status.rawValue
    toolExecutionNotifications = errors.map {
      Notification(level: "error", message: .init(text: $0.message))
    }
  }
}

/// The files that results refer to, without duplicates.
private struct ArtifactList {
  private(set) var list: [SarifDocument.Artifact] = []
  private var indices: [String: Int] = [:]

  /// Returns the location of a finding. A path in a folder follows the path of that folder, and a path in a package
  /// starts at the root of the package.
  mutating func location(
    of finding: Finding, in report: ValidationReport, at input: Int
  ) -> SarifDocument.Location {
    var index = input
    if let path = finding.path {
      index =
        switch report.kind {
        case .package: self.index(of: path.bytes, parent: input)
        case .folder, .assetPacks:
          self.index(of: Array(InputPath.joined(report.path, "").utf8) + path.bytes, parent: nil)
        }
    }
    let name = InputPath.joined(String(displaying: report.path.utf8), finding.path?.escaped)
    return SarifDocument.Location(
      physicalLocation: .init(
        artifactLocation: .init(uri: list[index].location.uri, index: index),
        region: finding.line.map { .init(startLine: $0) }),
      logicalLocations: [.init(fullyQualifiedName: name)])
  }

  mutating func index(of path: some Collection<UInt8>, parent: Int?) -> Int {
    let uri = Self.uri(path, isNested: parent != nil)
    let key = "\(parent ?? -1) \(uri)"
    if let index = indices[key] { return index }
    list.append(.init(location: .init(uri: uri, index: nil), parentIndex: parent))
    indices[key] = list.count - 1
    return list.count - 1
  }

  /// Returns a relative reference, or a file URI for an absolute path. All but unreserved characters and slashes are
  /// percent-encoded (RFC 3986).
  private static func uri(_ path: some Collection<UInt8>, isNested: Bool) -> String {
    var uri = path.first == UInt8(ascii: "/") && !isNested ? "file://" : ""
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += "%" + String(byte, radix: 16, uppercase: true, width: 2)
      }
    }
    return uri
  }
}

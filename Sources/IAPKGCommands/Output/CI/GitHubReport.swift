import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Findings as GitHub workflow commands, which annotate the files of a pull request (GitHub Docs, "Workflow commands
/// for GitHub Actions").
struct GitHubReport: ProgramReport {
  /// The findings of one input.
  struct Input {
    let path: String
    let kind: ContentKind
    /// The findings that are not ignored.
    let findings: [Finding]
  }

  let inputs: [Input]
  /// The errors of unreadable inputs and failed operations.
  let errors: [CommandError]
  let rules: RuleOptions

  init(_ inputs: [Input], errors: [CommandError], rules: RuleOptions) {
    self.inputs = inputs
    self.errors = errors
    self.rules = rules
  }

  init(_ checked: CheckedInputs) {
    self.init(
      checked.reports.map { Input(path: $0.path, kind: $0.kind, findings: checked.unignored($0)) },
      errors: checked.errors, rules: checked.rules)
  }

  /// The maximum number of annotations of each kind that GitHub shows per step (GitHub Docs, "Workflow commands").
  static let maximumAnnotationCount = 10

  /// The annotations. Those above GitHub's limit become plain lines for the log.
  var lines: [String] {
    // The errors of inputs come first, so that GitHub shows them.
    let annotations =
      errors.map(Self.annotation)
      + inputs.flatMap { input in input.findings.map { annotation(for: $0, in: input) } }
    var shown: [String] = []
    var rest: [String] = []
    for kind in Annotation.Kind.allCases {
      let ofKind = annotations.filter { $0.kind == kind }
      guard ofKind.count > Self.maximumAnnotationCount else {
        shown += ofKind.map(\.command)
        continue
      }
      let (first, others) = (
        ofKind.prefix(Self.maximumAnnotationCount - 1), ofKind.dropFirst(Self.maximumAnnotationCount - 1)
      )
      let text =
        "\(Quantity.count(others.reduce(0) { $0 + 1 + $1.omitted }, "more \(kind.rawValue)")) in the log of this step: GitHub shows "
        + "\(Self.maximumAnnotationCount) annotations of each kind"
      shown += first.map(\.command) + ["::\(kind.rawValue)::\(Self.data(text))"]
      rest += others.map(\.line)
    }
    return shown + rest
  }

  static func lines(for error: CommandError, of command: String) -> [String] {
    [annotation(for: error).command]
  }

  private static func annotation(for error: CommandError) -> Annotation {
    let properties = error.path.map { ["file=\(property($0))"] } ?? []
    return Annotation(kind: .error, properties: properties, text: error.message)
  }

  private func annotation(for finding: Finding, in found: Input) -> Annotation {
    let input = String(displaying: found.path.utf8)
    let inner = finding.path?.escaped
    let file = found.kind == .folder ? InputPath.joined(input, inner) : input
    var properties = ["file=\(Self.property(file))"]
    if let line = finding.line, found.kind == .folder { properties.append("line=\(line)") }
    properties.append("title=\(Self.property(finding.rule.rawValue))")
    let place = found.kind == .package ? inner.map { "\($0): " } ?? "" : ""
    return Annotation(
      kind: kind(finding.severity), properties: properties,
      text: "\(place)\(finding.message)\n\(finding.remedy)",
      line: "\(kind(finding.severity).rawValue): \(InputPath.joined(input, inner)): \(finding.message) "
        + "[\(finding.rule.rawValue)]", omitted: finding.omitted)
  }

  private func kind(_ severity: Finding.Severity) -> Annotation.Kind {
    if rules.rejects(severity) { return .error }
    return severity == .warning ? .warning : .notice
  }

  /// A message that GitHub shows.
  private struct Annotation {
    /// The kinds, in the order of output.
    enum Kind: String, CaseIterable { case error, warning, notice }

    let kind: Kind
    /// The workflow command.
    let command: String
    /// The plain line for the log.
    let line: String
    /// The number of similar findings that this annotation does not list.
    let omitted: Int

    init(kind: Kind, properties: [String], text: String, line: String? = nil, omitted: Int = 0) {
      self.kind = kind
      self.omitted = omitted
      let head = properties.isEmpty ? "" : " " + properties.joined(separator: ",")
      command = "::\(kind.rawValue)\(head)::\(GitHubReport.data(text))"
      self.line = line ?? "\(kind.rawValue): \(text)"
    }
  }

  /// Returns text with the characters escaped that would end or split a command.
  private static func data(_ text: String) -> String {
    text.replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    data(text).replacing([":": "%3A", ",": "%2C"])
  }
}

/// Paths inside an input.
enum InputPath {
  /// Returns the path of `inner` in an input; the input's path if `inner` is nil.
  static func joined(_ input: String, _ inner: String?) -> String {
    guard let inner else { return input }
    return FileSystem.joined(input, inner)
  }
}

import ContentPackage
import Support
import ZipArchive

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), limited to the properties that iapkg uses.
struct SarifDocument: Encodable {
  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  /// A plain text message, in which braces are doubled because `{0}` is a placeholder (SARIF 2.1.0, 3.11.5), and brackets
  /// are escaped where `[text](target)` would be a link (3.11.6).
  struct Text: Encodable {
    let text: String

    init(text: String) {
      let mayLink = text.contains("](")
      var escaped = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        switch scalar {
        case "{", "}": escaped.append(scalar)
        case "[", "]", "\\": if mayLink { escaped.append("\\") }
        default: break
        }
        escaped.append(scalar)
      }
      self.text = String(escaped)
    }
  }

  struct Run: Encodable {
    let tool: Tool
    let invocations: [Invocation]
    let artifacts: [Artifact]
    let results: [Result]
    let columnKind = "unicodeCodePoints"
  }

  struct Tool: Encodable {
    struct Driver: Encodable {
      let name = "iapkg"
      let semanticVersion = programVersion
      let rules = Rule.allCases.map(Descriptor.init)
    }
    let driver = Driver()
  }

  /// A reportingDescriptor object (3.49).
  struct Descriptor: Encodable {
    struct Configuration: Encodable { let level: String }

    let id: String
    let name: String
    let shortDescription: Text
    let fullDescription: Text
    let help: Text
    let defaultConfiguration: Configuration

    init(_ rule: Rule) {
      let (description, explanation) = (rule.description, rule.explanation)
      id = rule.rawValue
      name = Self.identifier(rule.rawValue)
      shortDescription = Text(text: Self.sentence(description.summary))
      fullDescription = Text(
        text: "\(Self.sentence(explanation.cause)) \(Self.sentence(explanation.importance))")
      help = Text(
        text: "Remedy: \(description.remedy). Example: \(explanation.example)")
      defaultConfiguration = Configuration(level: rule.severity.rawValue)
    }

    /// Returns a name such as "FileExecutableCode" for "file/executable-code".
    private static func identifier(_ text: String) -> String {
      text.split { $0 == "/" || $0 == "-" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns text with an initial capital and a full stop, for viewers.
    private static func sentence(_ text: String) -> String {
      text.prefix(1).uppercased() + text.dropFirst() + "."
    }
  }

  /// An invocation object (3.20).
  struct Invocation: Encodable {
    struct Notification: Encodable {
      let level: String
      let message: Text
    }
    let executionSuccessful: Bool
    let exitCode: Int32
    let toolExecutionNotifications: [Notification]
  }

  /// An artifact object (3.24). The parent of a file in a package is the package.
  struct Artifact: Encodable {
    let location: ArtifactLocation
    let parentIndex: Int?
  }

  struct ArtifactLocation: Encodable {
    let uri: String
    let index: Int?
  }

  struct Location: Encodable {
    struct Physical: Encodable {
      struct Region: Encodable { let startLine: Int }
      let artifactLocation: ArtifactLocation
      let region: Region?
    }
    struct Logical: Encodable { let fullyQualifiedName: String }
    let physicalLocation: Physical
    let logicalLocations: [Logical]
  }

  /// A result object (3.27).
  struct Result: Encodable {
    struct Suppression: Encodable {
      let kind = "external"
      let justification: String
    }
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Text
    let locations: [Location]
    let suppressions: [Suppression]
  }
}

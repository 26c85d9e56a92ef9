import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The head that every JSON document has.
protocol ReportDocument: Encodable {
  var schemaVersion: Int { get }
  var command: String { get }
}

/// The version of all JSON documents; raised when a program written against it could break.
let reportSchemaVersion = 1

/// A value that stands in the document as `null` where there is none, so that its key is always there.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}

/// One finding.
struct FindingDocument: Encodable {
  /// What it is about, in a list of the findings of several inputs; absent otherwise.
  let input: String?
  let rule: String
  let severity: String
  @Nullable var path: String?
  @Nullable var line: Int?
  let message: String
  let remedy: String

  init(_ finding: Finding) {
    input = finding.input
    rule = finding.rule.rawValue
    severity = finding.severity.rawValue
    _path = Nullable(wrappedValue: finding.path?.escaped)
    _line = Nullable(wrappedValue: finding.line)
    message = finding.message
    remedy = finding.remedy
  }
}

/// What a failed command writes.
struct ErrorDocument: ReportDocument {
  struct Reason: Encodable {
    let code: Int32
    let message: String
    @Nullable var path: String?

    init(_ error: CommandError) {
      (code, message) = (error.status.rawValue, error.message)
      _path = Nullable(wrappedValue: error.path)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command: String
  let error: Reason
  /// Absent where there are none.
  let findings: [FindingDocument]?

  init(_ error: CommandError, command: String) {
    self.command = command
    self.error = Reason(error)
    findings = error.findings.isEmpty ? nil : error.findings.map(FindingDocument.init)
  }
}

/// What `validate` writes.
struct ValidationDocument: ReportDocument {
  struct Package: Encodable {
    let path: String
    let kind: String
    @Nullable var productIdentifier: String?
    @Nullable var contentVersion: String?
    @Nullable var archiveBytes: Int64?
    let contentBytes: Int64
    let entries: Int
    let errors: Int
    let warnings: Int
    let ignored: Int
    let suppressions: [Suppression]
    let findings: [FindingDocument]
  }

  /// A finding that the settings of a content folder ignore.
  struct Suppression: Encodable {
    let rule: String
    @Nullable var path: String?
    let reason: String
  }

  let schemaVersion = reportSchemaVersion
  let command = "validate"
  let valid: Bool
  let packages: [Package]
  /// Rules that were to be ignored and found nothing.
  let unusedIgnores: [String]
  /// The first of `unread`; both are absent if all inputs could be read.
  let error: ErrorDocument.Reason?
  let unread: [ErrorDocument.Reason]?
}

/// What a command writes that makes, changes or reads one package; what does not apply is left out.
struct PackageDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command: String
  let path: String
  /// `package` or `folder`, where the command takes both.
  var kind: String?
  @Nullable var productIdentifier: String?
  @Nullable var contentVersion: String?
  var entries: Int?
  /// Null where there is no package.
  var archiveBytes: Nullable<Int64>?
  var contentBytes: Int64?
  var findings: [FindingDocument]?
  var files: Listing<EntryDocument>?
  /// What weighs; for `info` alone.
  var byKind: [KindDocument]?
  var duplicates: [DuplicateDocument]?
  /// What is compared with, and what an update from there downloads; for `report` with --against alone.
  var previousVersion: Nullable<String>?
  var updateBytes: Nullable<Int64>?
  /// What updates cost; for `report` with a store alone.
  var updates: [UpdateDocument]?
  /// What `import` leaves out and changes.
  var dropped: [String]?
  var changed: [String]?

  init(command: String, path: String, product: ProductIdentifier?, version: ContentVersion?) {
    self.command = command
    self.path = String(displaying: path.utf8)
    productIdentifier = product?.text
    contentVersion = version?.text
  }
}

/// What `bump` writes.
struct BumpDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "bump"
  let path: String
  let productIdentifier: String
  let contentVersion: String
  let previousVersion: String
  /// These are null where a manifest was edited by itself.
  @Nullable var entries: Int?
  @Nullable var archiveBytes: Int64?
  @Nullable var contentBytes: Int64?
}

/// What `extract` writes.
struct ExtractDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "extract"
  let path: String
  /// `installed`, `up-to-date`, `repaired`, or with `--dry-run` `would-install`.
  let outcome: String
  let productIdentifier: String
  let contentVersion: String
  @Nullable var previousVersion: String?
  let installedPath: String
  let entries: Int
  let archiveBytes: Int64
  let contentBytes: Int64
  /// How many files and links the product has.
  let files: Int
  /// The paths in the product's folder that were made anew, with `--repair` only.
  let repaired: Listing<String>?
  /// What would change, by paths in the product's folder, with `--dry-run` only.
  let added: Listing<String>?
  let changed: Listing<String>?
  let removed: Listing<String>?
  /// What was modified since it was installed, and now is in the previous version or in `.iapkg/kept`; nil if nothing was.
  let modified: Listing<String>?
  /// The paths of files that iapkg did not install and keeps for the user; with `--dry-run` where they are now.
  let kept: Listing<String>
  let findings: [FindingDocument]
}

/// One entry, as `info --files` lists it.
struct EntryDocument: Encodable {
  let path: String
  let size: Int64
  /// These are null for what is not packed.
  @Nullable var compressedSize: Int64?
  @Nullable var method: String?
  let kind: String

  init(path: String, size: Int64, compressedSize: Int64?, method: String?, kind: String) {
    self.path = path
    self.size = size
    self.kind = kind
    self.compressedSize = compressedSize
    self.method = method
  }
}

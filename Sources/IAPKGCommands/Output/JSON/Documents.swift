import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The common keys of all JSON documents.
protocol ReportDocument: Encodable {
  var schemaVersion: Int { get }
  var command: String { get }
}

/// The version of all JSON documents. A change that can break a client must raise the version.
let reportSchemaVersion = 1

/// An optional value that is encoded as `null` if nil, so that its key is always present.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}

/// A finding in a JSON document.
struct FindingDocument: Encodable {
  /// The input of the finding, in a list for several inputs; absent otherwise.
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

/// The JSON report of a failed command.
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
  /// The findings that caused the error; absent if there are none.
  let findings: [FindingDocument]?

  init(_ error: CommandError, command: String) {
    self.command = command
    self.error = Reason(error)
    findings = error.findings.isEmpty ? nil : error.findings.map(FindingDocument.init)
  }
}

/// The JSON report of `validate`.
struct ValidationDocument: ReportDocument {
  struct Package: Encodable {
    let path: String
    let kind: String
    @Nullable var productIdentifier: String?
    @Nullable var contentVersion: String?
    @Nullable var archiveBytes: Int64?
    let contentBytes: Int64
    let entries: Int
    let leftOut: LeftOutDocument?
    /// The settings files of other users, which are not read; absent if there are none.
    let skippedSettings: [String]?
    let errors: Int
    let warnings: Int
    let ignored: Int
    let suppressions: [SuppressionDocument]
    let findings: [FindingDocument]
  }

  let schemaVersion = reportSchemaVersion
  let command = "validate"
  let valid: Bool
  let packages: [Package]
  /// Rules of `--ignore` without a finding.
  let unusedIgnores: [String]
  /// The first element of `unread`; both are absent if all inputs were read.
  let error: ErrorDocument.Reason?
  let unread: [ErrorDocument.Reason]?
}

/// The JSON report of commands on one package. Keys that do not apply are absent.
struct PackageDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command: String
  let path: String
  /// `package` or `folder`, for commands that accept both.
  var kind: String?
  @Nullable var productIdentifier: String?
  @Nullable var contentVersion: String?
  var entries: Int?
  /// Null if there is no package.
  var archiveBytes: Nullable<Int64>?
  var contentBytes: Int64?
  var leftOut: LeftOutDocument?
  /// The settings files of other users, which are not read; for `create` and `import` only.
  var skippedSettings: [String]?
  var findings: [FindingDocument]?
  /// The suppressed errors, which installers refuse; for `create` and `import` only.
  var ignored: [SuppressionDocument]?
  var files: Listing<EntryDocument>?
  /// The weights of the content; for `info` only.
  var byKind: [KindDocument]?
  var duplicates: [DuplicateDocument]?
  /// The version of the baseline, and the download size of an update from it; for `report` with `--against` only.
  var previousVersion: Nullable<String>?
  var updateBytes: Nullable<Int64>?
  /// The download sizes of updates; for `report` with a store only.
  var updates: [UpdateDocument]?
  /// The omitted and changed items of `import`.
  var dropped: [String]?
  var changed: [String]?

  init(command: String, path: String, product: ProductIdentifier?, version: ContentVersion?) {
    self.command = command
    self.path = String(displaying: path.utf8)
    productIdentifier = product?.text
    contentVersion = version?.text
  }
}

/// The counts of items that the settings or `--exclude` exclude.
struct LeftOutDocument: Encodable {
  let files: Int
  let folders: Int

  /// Creates the counts of excluded items; nil if there are none.
  init?(_ items: ExcludedItems) {
    guard !items.isEmpty else { return nil }
    (files, folders) = (items.files, items.folders)
  }
}

/// The JSON report of `bump`.
struct BumpDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "bump"
  let path: String
  let productIdentifier: String
  let contentVersion: String
  let previousVersion: String
  /// Null, like the next two keys, for a content folder, a single manifest, and an unchanged version.
  @Nullable var entries: Int?
  @Nullable var archiveBytes: Int64?
  @Nullable var contentBytes: Int64?
}

/// The JSON report of `extract`.
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
  /// The number of files and links in the product.
  let files: Int
  /// The restored paths in the product's folder; with `--repair` only.
  let repaired: Listing<String>?
  /// The pending changes, as paths in the product's folder; with `--dry-run` only.
  let added: Listing<String>?
  let changed: Listing<String>?
  let removed: Listing<String>?
  /// Files modified after installation, now in the previous version or in `.iapkg/kept`; absent if there are none.
  let modified: Listing<String>?
  /// Damaged versions that were deleted in place of older, intact versions; absent if there are none.
  let damagedVersions: [String]?
  /// Paths of kept files that iapkg did not install, or that were modified; with `--dry-run`, their current paths.
  let kept: Listing<String>
  let findings: [FindingDocument]
}

/// An entry in the list of `info --files`.
struct EntryDocument: Encodable {
  let path: String
  let size: Int64
  /// The size in the package, in bytes; null, like `method`, for items of a content folder.
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

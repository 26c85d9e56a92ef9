import ContentPackage
import Delivery
import Support

/// The name of a store in reports.
enum DisplayedStore {
  static func name(_ store: String) -> String { String(displaying: store.utf8) }
}

/// The report of `publish`.
struct PublishRendering {
  private let publications: [Publisher.Publication]
  private let store: String
  /// The sequence number of the catalog; nil in a dry run.
  private let sequence: Int64?
  private let findings: [Finding]
  private let suppressed: SuppressedErrors

  init(
    _ publications: [Publisher.Publication], store: String, sequence: Int64?, findings: [Finding],
    _ suppressed: SuppressedErrors
  ) {
    self.publications = publications
    self.store = DisplayedStore.name(store)
    self.sequence = sequence
    self.findings = findings
    self.suppressed = suppressed
  }

  var document: PublishDocument {
    PublishDocument(
      store: store, sequence: Nullable(wrappedValue: sequence),
      published: publications.map { publication in
        PublishDocument.Publication(
          productIdentifier: publication.package.info.productIdentifier.text,
          contentVersion: publication.package.info.contentVersion.text, outcome: outcome(publication),
          uploadedBytes: publication.uploadedBytes, restored: publication.restored.map(\.text),
          withdrawn: Nullable(wrappedValue: publication.withdrawn.map { String(displaying: $0.utf8) }),
          path: publication.path.text,
          previousVersion: Nullable(wrappedValue: publication.previousVersion?.text),
          updateBytes: Nullable(wrappedValue: publication.updateBytes),
          rollout: Nullable(wrappedValue: publication.rollout.map(RolloutDocument.Rollout.init)))
      }, findings: findings.map(FindingDocument.init), ignored: suppressed.documents)
  }

  var lines: [String] {
    let total = sequence.map { ["\(store): catalog \($0)"] } ?? []
    return publications.map { Self.line($0, isDryRun: sequence == nil) } + total
  }

  static func line(_ publication: Publisher.Publication, isDryRun: Bool) -> String {
    let info = publication.package.info
    let head = "\(info.productIdentifier) \(info.contentVersion)"
    guard publication.outcome == .published else {
      let restored = publication.restored.map(\.text).joined(separator: " and ")
      guard !restored.isEmpty else { return "\(head): already published" }
      let isOne = publication.restored.count == 1
      let verbs =
        isDryRun ? (isOne ? "is" : "are", "would be restored") : (isOne ? "was" : "were", "restored")
      let withdrawal =
        publication.withdrawn.map { "; it stays withdrawn: \(String(displaying: $0.utf8))" } ?? ""
      return
        "\(head): already published; \(restored) \(verbs.0) missing or damaged in the store, and \(verbs.1)\(withdrawal)"
    }
    let size = publication.package.archiveBytes
    let verb = isDryRun ? "would be published" : "published"
    var line = "\(head): \(verb), \(Quantity.bytes(size))"
    if let previous = publication.previousVersion, let bytes = publication.updateBytes {
      line +=
        bytes < size
        ? "; an update from \(previous) downloads \(Quantity.bytes(bytes)) (\(Quantity.percent(bytes, of: size)))"
        : "; an update from \(previous) is as large as the whole package, \(Quantity.bytes(bytes))"
    }
    return line + (publication.rollout.map { "; \($0.phrase)" } ?? "")
  }

  private func outcome(_ publication: Publisher.Publication) -> String {
    sequence == nil && publication.outcome == .published ? "would-publish" : publication.outcome.rawValue
  }
}

/// The JSON report of `publish`.
struct PublishDocument: ReportDocument {
  struct Publication: Encodable {
    let productIdentifier: String
    let contentVersion: String
    /// `published`, `already-published`, or with `--dry-run` `would-publish`.
    let outcome: String
    let uploadedBytes: Int64
    /// The paths of missing or damaged objects that were uploaded again, or would be with `--dry-run`.
    let restored: [String]
    /// The reason why a restored release was withdrawn; it stays withdrawn.
    @Nullable var withdrawn: String?
    let path: String
    @Nullable var previousVersion: String?
    /// The download size of an update from the previous version, in bytes.
    @Nullable var updateBytes: Int64?
    /// The rollout that begins with the publication; null for a release for all clients.
    @Nullable var rollout: RolloutDocument.Rollout?
  }

  let schemaVersion = reportSchemaVersion
  let command = "publish"
  let store: String
  @Nullable var sequence: Int64?
  let published: [Publication]
  let findings: [FindingDocument]
  /// The suppressed errors, which installers refuse.
  let ignored: [SuppressionDocument]
}

import ContentPackage
import Delivery
import Support

/// The report of the commands of `trust`.
struct TrustRendering {
  private let state: TrustState
  /// The result of a change; nil for `trust show`.
  private let result: TrustEditor.Result?
  private let command: String
  private let store: String

  init(_ state: TrustState, _ result: TrustEditor.Result?, command: String, store: String) {
    self.state = state
    self.result = result
    self.command = command
    self.store = DisplayedStore.name(store)
  }

  /// `published`, `draft`, `signed` for a catalog without a draft, or `shown`.
  private var outcome: String {
    guard let result else { return "shown" }
    return result.isPublished ? "published" : state.draft == nil ? "signed" : "draft"
  }

  var document: TrustReportDocument {
    TrustReportDocument(
      command: command, store: store, outcome: outcome,
      trust: Nullable(wrappedValue: state.newest.map(TrustKeysDocument.init)),
      firstSHA256: Nullable(wrappedValue: state.firstDigest?.hexadecimal),
      draft: Nullable(wrappedValue: state.draft.map(TrustDraftDocument.init)),
      sequence: Nullable(wrappedValue: state.catalog?.catalog.sequence),
      catalogSHA256: Nullable(wrappedValue: state.catalog?.digest.hexadecimal),
      catalogAccepted: state.acceptsCatalog,
      previous: Nullable(wrappedValue: result?.previous.map(TrustKeysDocument.init)))
  }

  var lines: [String] {
    var lines = ["\(store): \(headline)"]
    if let result, result.droppedSignatures > 0 {
      lines.append(
        "  dropped \(Quantity.count(result.droppedSignatures, "signature")) of the earlier draft, because the draft has "
          + "changed")
    }
    if result == nil, let newest = state.newest {
      lines += Self.lines(newest, after: newest)
      if let digest = state.firstDigest {
        lines.append("  SHA-256 of the first document, for --trust: \(digest.hexadecimal)")
      }
    }
    if let result, let newest = state.newest, result.isPublished {
      lines += Self.lines(newest, after: result.previous)
    }
    if let draft = state.draft {
      if result == nil { lines.append("draft of trust document \(draft.document.version)") }
      lines += Self.lines(draft.document, after: state.newest) + draft.missing.flatMap(Self.lines)
      if result == nil || !draft.missing.isEmpty {
        lines.append("  SHA-256 of the draft, for trust sign --draft: \(draft.digest.hexadecimal)")
      }
    }
    if let catalog = state.catalog {
      if let signers = result?.catalogSigners {
        let before =
          signers.isEmpty
          ? "not signed" : "signed by \(signers.map(\.fingerprint).joined(separator: " and "))"
        lines.append(
          "  signed catalog \(catalog.catalog.sequence) of \(catalog.catalog.published) too, with "
            + "\(Quantity.count(catalog.catalog.products.count, "product")), \(before) before")
      } else {
        lines.append(
          "  catalog \(catalog.catalog.sequence) of \(catalog.catalog.published), "
            + "\(Quantity.count(catalog.catalog.products.count, "product"))")
      }
      if !state.acceptsCatalog || state.draft?.requiresCatalogSignatures ?? false {
        lines.append(
          "  SHA-256 of catalog \(catalog.catalog.sequence), for trust sign --catalog: \(catalog.digest.hexadecimal)"
        )
      }
    }
    if result?.isPublished ?? false, state.acceptsCatalog,
      state.catalog.map({ $0.catalog.trust != state.newest?.version }) ?? false
    {
      lines.append("  the next catalog names it: publish, or run iapkg catalog renew")
    }
    if let newest = state.newest, !state.acceptsCatalog {
      lines.append(
        "  trust document \(newest.version) does not accept the catalog: restore catalog.json from a backup, or "
          + "examine it and sign it with iapkg trust sign --catalog")
    }
    return lines
  }

  private var headline: String {
    guard let result else {
      guard let newest = state.newest else {
        return state.catalog?.signer.map { "no trust documents, one key \($0.fingerprint)" }
          ?? "no trust documents"
      }
      return "trust document \(newest.version)" + (newest.expires.map { ", expires \($0)" } ?? "")
    }
    if result.isPublished, let newest = state.newest { return "trust document \(newest.version) published" }
    guard let draft = state.draft else { return "catalog \(state.catalog?.catalog.sequence ?? 0) signed" }
    return "draft of trust document \(draft.document.version), "
      + "\(Quantity.count(result.addedSignatures, "signature")) added"
  }

  /// Returns lines about the keys and the changed expiry of a document. `+` marks the keys added since `previous`, and
  /// `-` the removed keys.
  private static func lines(_ document: TrustDocument, after previous: TrustDocument?) -> [String] {
    let roles = [
      ("root", document.roots, previous?.roots), ("catalog", document.catalogs, previous?.catalogs),
    ]
    var lines = roles.flatMap { noun, role, before in
      let change =
        if let before, before.threshold != role.threshold { " (\(before.threshold) before)" } else { "" }
      let removed = before?.keys.filter { !role.contains($0.key) } ?? []
      return [
        "  \(Quantity.count(role.keys.count, "\(noun) key")), of which \(role.threshold) must sign\(change)"
      ]
        + role.keys.map { "  \(before?.contains($0.key) ?? true ? " " : "+") \(line($0))" }
        + removed.map { "  - \(line($0))" }
    }
    if let previous, previous.expires != document.expires {
      lines.append(
        "  expires \(document.expires?.description ?? "never") (\(previous.expires?.description ?? "never") before)"
      )
    }
    return lines
  }

  private static func lines(_ missing: TrustState.Missing) -> [String] {
    let signatures = Quantity.count(missing.count, "signature")
    let signers =
      switch missing.kind {
      case .previousRoots(let version): "by root keys of trust document \(version)"
      case .singleKey: "by the key of the store"
      case .roots: "by its root keys"
      case .catalog(let sequence): "of catalog \(sequence), by its catalog keys"
      }
    return ["  missing: \(signatures) \(signers)"] + missing.keys.map { "    \(line($0))" }
  }

  private static func line(_ key: TrustDocument.NamedKey) -> String {
    key.comment.isEmpty
      ? key.key.fingerprint : "\(key.key.fingerprint) \(String(displaying: key.comment.utf8))"
  }
}

/// The JSON report of the commands of `trust`.
struct TrustReportDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command: String
  let store: String
  /// `published`, `draft`, `signed` for a catalog without a draft, or `shown`.
  let outcome: String
  /// The newest trust document.
  @Nullable var trust: TrustKeysDocument?
  /// The SHA-256 of the first trust document, which clients can pass to `--trust`.
  @Nullable var firstSHA256: String?
  @Nullable var draft: TrustDraftDocument?
  /// The sequence number of the catalog.
  @Nullable var sequence: Int64?
  /// The SHA-256 of the signed text of the catalog.
  @Nullable var catalogSHA256: String?
  /// Whether the newest trust document accepts the catalog.
  let catalogAccepted: Bool
  /// The newest trust document before the change; null for `shown`, and for the first trust document.
  @Nullable var previous: TrustKeysDocument?
}

/// The keys of a trust document in JSON reports.
struct TrustKeysDocument: Encodable {
  struct Key: Encodable {
    let fingerprint: String
    let comment: String

    init(_ key: TrustDocument.NamedKey) {
      fingerprint = key.key.fingerprint
      comment = String(displaying: key.comment.utf8)
    }
  }

  let version: Int64
  @Nullable var expires: String?
  let rootKeys: [Key]
  let rootThreshold: Int
  let catalogKeys: [Key]
  let catalogThreshold: Int

  init(_ document: TrustDocument) {
    version = document.version
    _expires = Nullable(wrappedValue: document.expires?.description)
    rootKeys = document.roots.keys.map(Key.init)
    rootThreshold = document.roots.threshold
    catalogKeys = document.catalogs.keys.map(Key.init)
    catalogThreshold = document.catalogs.threshold
  }
}

/// The draft of a trust document in JSON reports.
struct TrustDraftDocument: Encodable {
  struct Missing: Encodable {
    /// `previous-root`, `single-key`, `root` or `catalog`.
    let role: String
    let count: Int
    /// The fingerprints of the keys; `count` of them must sign.
    let keys: [String]

    init(_ missing: TrustState.Missing) {
      role =
        switch missing.kind {
        case .previousRoots: "previous-root"
        case .singleKey: "single-key"
        case .roots: "root"
        case .catalog: "catalog"
        }
      count = missing.count
      keys = missing.keys.map(\.key.fingerprint)
    }
  }

  let document: TrustKeysDocument
  /// The SHA-256 of the text that keys sign.
  let sha256: String
  /// The fingerprints of the keys that signed the draft.
  let signedBy: [String]
  let missing: [Missing]

  init(_ draft: TrustState.Draft) {
    document = TrustKeysDocument(draft.document)
    sha256 = draft.digest.hexadecimal
    signedBy = draft.signers.map(\.fingerprint)
    missing = draft.missing.map(Missing.init)
  }
}

import ContentPackage
import Delivery

/// The report of `promote`.
struct PromoteRendering {
  private let result: ReleaseEditor.Result
  private let product: ProductIdentifier
  private let channel: Channel
  private let store: String
  private let isDryRun: Bool

  init(
    _ result: ReleaseEditor.Result, _ product: ProductIdentifier, to channel: Channel, store: String,
    isDryRun: Bool
  ) {
    self.result = result
    self.product = product
    self.channel = channel
    self.store = DisplayedStore.name(store)
    self.isDryRun = isDryRun
  }

  var document: PromoteDocument {
    PromoteDocument(
      store: store, sequence: result.sequence, productIdentifier: product.text,
      contentVersion: result.release.contentVersion.text, channel: channel.text,
      channels: result.release.channels.map(\.text),
      outcome: result.isChanged ? (isDryRun ? "would-promote" : "promoted") : "already-promoted")
  }

  var lines: [String] {
    let found =
      result.isChanged
      ? "\(isDryRun ? "would be promoted" : "promoted") to the channel '\(channel)'"
      : "is already in the channel '\(channel)'"
    return ["\(product) \(result.release.contentVersion): \(found), catalog \(result.sequence)"]
  }
}

/// The JSON report of `promote`.
struct PromoteDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "promote"
  let store: String
  /// The sequence number of the catalog; with `--dry-run`, that of the current catalog.
  let sequence: Int64
  let productIdentifier: String
  let contentVersion: String
  /// The added channel.
  let channel: String
  /// All channels of the release, beginning with the channel of its publication.
  let channels: [String]
  /// `promoted`, `already-promoted`, or with `--dry-run` `would-promote`.
  let outcome: String
}

import ContentPackage
import Delivery
import Support

/// The report of `catalog list`.
struct CatalogRendering {
  private let listing: CatalogListing
  /// The path of the HTML page that was written instead of a text list; nil without a page.
  private let page: String?
  /// The notes to show, by the path of the package.
  private let notes: [StorePath: Result<ReleaseNotes, any Error>]
  private let style: TextStyle

  init(
    _ listing: CatalogListing, page: String?, notes: [StorePath: Result<ReleaseNotes, any Error>] = [:],
    style: TextStyle
  ) {
    self.listing = listing
    self.notes = notes
    self.page = page.map { String(displaying: $0.utf8) }
    self.style = style
  }

  var document: CatalogDocument {
    let catalog = listing.current.catalog
    return CatalogDocument(
      sequence: catalog.sequence, published: catalog.published.description,
      expires: Nullable(wrappedValue: catalog.expires?.description),
      signedBy: Nullable(wrappedValue: listing.signature.signedBy),
      products: listing.products.map { product in
        CatalogDocument.Product(
          productIdentifier: product.productIdentifier.text,
          releases: Listing(product.releases, CatalogDocument.Release.init))
      }, path: page)
  }

  /// The sentence about the written page.
  var pageLines: [String] {
    TextLayout(for: .output).sentence(in: [
      "Wrote \(page ?? "") (\(Quantity.count(listing.products.count, "product")) of catalog "
        + "\(listing.current.catalog.sequence))"
    ])
  }

  /// Prints the list product by product.
  func write(to print: (String) -> Void) {
    let catalog = listing.current.catalog
    var head = "catalog \(catalog.sequence) of \(catalog.published)"
    if let expires = catalog.expires {
      head += ", \(expires <= .now ? style.warning("expired") : "expires") \(expires)"
    }
    head += ", \(listing.signature.text)"
    print(head)
    for product in listing.products { lines(product).forEach(print) }
  }

  private func lines(_ product: ProductReleases) -> [String] {
    let width = product.releases.map(\.contentVersion.text.count).max() ?? 0
    let time = listing.time
    return [style.strong(product.productIdentifier.text)]
      + product.releases.flatMap { release -> [String] in
        let version = release.contentVersion.text
        let gap = String(repeating: " ", count: width - version.count)
        let channels = release.channels.map(\.text).joined(separator: ", ")
        let sizes =
          "\(Quantity.bytes(release.package.byteCount)), content \(Quantity.bytes(release.contentBytes)) in "
          + "\(Quantity.count(Int(clamping: release.files), "file")) and ContentInfo.plist"
        let app = Self.app(release)
        let critical =
          release.critical.map { ", \(style.warning("critical"))" + ($0.below.map { " below \($0)" } ?? "") }
          ?? ""
        let rollout = release.share(at: time).flatMap { share in
          release.rollout.map { ", \($0.phrase(with: share))" }
        }
        let reason =
          release.withdrawn.map { ", \(style.warning("withdrawn")): \(String(displaying: $0.utf8))" } ?? ""
        let languages = release.notes.map(\.language.text).joined(separator: ", ")
        let notes = languages.isEmpty ? "" : ", notes in \(languages)"
        return [
          "  \(version)\(gap)  \(channels)  \(release.published)  \(sizes)\(app)\(critical)\(rollout ?? "")\(notes)\(reason)"
        ] + (release.metadata.values.shownMetadata.map { ["    metadata: \($0)"] } ?? [])
          + (self.notes[release.package.path].map { NotesRendering($0).lines } ?? [])
      }
  }

  /// Returns the app versions of a release, as the end of a list; empty for all app versions.
  private static func app(_ release: Release) -> String {
    switch (release.minimumAppVersion, release.maximumAppVersion) {
    case (let minimum?, let maximum?): ", for app \(minimum) to \(maximum)"
    case (let minimum?, nil): ", for app \(minimum) and above"
    case (nil, let maximum?): ", for app \(maximum) and below"
    case (nil, nil): ""
    }
  }
}

/// The JSON report of `catalog list`.
struct CatalogDocument: ReportDocument {
  struct Release: Encodable {
    let contentVersion: String
    /// The channel to which the release was published.
    let channel: String
    /// All channels of the release.
    let channels: [String]
    @Nullable var minimumAppVersion: String?
    @Nullable var maximumAppVersion: String?
    let published: String
    @Nullable var withdrawn: String?
    /// Null if all clients may install the release.
    @Nullable var rollout: RolloutDocument.Rollout?
    /// Null if the release is critical for no client.
    @Nullable var critical: Critical?
    let contentBytes: Int64
    let files: Int64
    let packageBytes: Int64
    let path: String
    let sha256: String
    let notes: [Note]
    let metadata: [String: String]

    init(_ release: Delivery.Release) {
      contentVersion = release.contentVersion.text
      channel = release.channel.text
      channels = release.channels.map(\.text)
      _minimumAppVersion = Nullable(wrappedValue: release.minimumAppVersion?.text)
      _maximumAppVersion = Nullable(wrappedValue: release.maximumAppVersion?.text)
      published = release.published.description
      _withdrawn = Nullable(wrappedValue: release.withdrawn.map { String(displaying: $0.utf8) })
      _rollout = Nullable(wrappedValue: release.rollout.map(RolloutDocument.Rollout.init))
      _critical = Nullable(wrappedValue: release.critical.map(Critical.init))
      contentBytes = release.contentBytes
      files = release.files
      packageBytes = release.package.byteCount
      path = release.package.path.text
      sha256 = release.package.digest.hexadecimal
      notes = release.notes.map(Note.init)
      metadata = release.metadata.values.displayed
    }
  }

  /// The object of the notes in one language.
  struct Note: Encodable {
    let language: String
    /// `text/markdown` or `text/plain`.
    let type: String
    let path: String
    let size: Int64
    let sha256: String

    init(_ note: ReleaseNote) {
      language = note.language.text
      type = note.format.rawValue
      path = note.object.path.text
      size = note.object.byteCount
      sha256 = note.object.digest.hexadecimal
    }
  }

  /// The clients for which a release is critical.
  struct Critical: Encodable {
    /// The release is critical only for installed versions below this version; null for all versions.
    @Nullable var below: String?

    init(_ critical: CriticalRelease) { _below = Nullable(wrappedValue: critical.below?.text) }
  }

  struct Product: Encodable {
    let productIdentifier: String
    let releases: Listing<Release>
  }

  let schemaVersion = reportSchemaVersion
  let command = "catalog"
  let sequence: Int64
  let published: String
  @Nullable var expires: String?
  @Nullable var signedBy: String?
  let products: [Product]
  /// The path of the HTML page that was written; absent without `--html`.
  let path: String?
}

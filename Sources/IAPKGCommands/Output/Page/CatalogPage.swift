import ContentPackage
import Delivery
import Support

/// The page of `catalog --html`. The page does not name the store, so it can be published there.
struct CatalogPage {
  private let current: CurrentCatalog
  private let signature: CatalogSignature
  private let histories: [ReleaseHistory]

  init(_ listing: CatalogListing, _ histories: [ReleaseHistory]) {
    current = listing.current
    signature = listing.signature
    self.histories = histories
  }

  /// Writes the page in pieces.
  func write(to print: (String) throws -> Void) throws {
    let head = Console.line(json: Head(expires: .init(wrappedValue: current.catalog.expires?.description)))
    try print(page.start + "\(HTMLPage.embedded(head.dropLast())),\"products\":[")
    for (index, history) in histories.enumerated() {
      try print((index == 0 ? "" : ",") + HTMLPage.embedded(Console.line(json: Product(history))))
    }
    try print("]}" + page.end)
  }

  private var page: HTMLPage {
    let catalog = current.catalog
    let releases = histories.reduce(0) { $0 + $1.steps.count }
    return HTMLPage(
      title: "Catalog \(catalog.sequence)", heading: "Catalog \(catalog.sequence)",
      facts: [
        ("Published", catalog.published.description),
        ("Expires", catalog.expires?.description ?? "never"),
        ("Signed by", signature.signers),
        ("Products", "\(histories.count)"), ("Releases", "\(releases)"),
      ], script: PageResource.catalog)
  }

  private struct Head: Encodable {
    @Nullable var expires: String?
  }

  private struct Product: Encodable {
    let productIdentifier: String
    let releases: [Step]

    init(_ history: ReleaseHistory) {
      productIdentifier = history.productIdentifier.text
      releases = history.steps.map(Step.init)
    }
  }

  /// A release, and the download size of an update from the previous release.
  private struct Step: Encodable {
    let release: CatalogDocument.Release
    @Nullable var previousVersion: String?
    @Nullable var updateBytes: Int64?
    let notes: [NotesDocument]

    init(_ step: ReleaseHistory.Step) {
      release = CatalogDocument.Release(step.release)
      _previousVersion = Nullable(wrappedValue: step.previousVersion?.text)
      _updateBytes = Nullable(wrappedValue: step.updateBytes)
      notes = step.notes.map(NotesDocument.init)
    }
  }
}

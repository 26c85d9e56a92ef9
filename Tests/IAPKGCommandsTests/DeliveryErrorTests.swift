import ContentPackage
import Delivery
import Support
import Testing

@testable import IAPKGCommands

/// The exit codes and messages for releases that cannot be fetched, and for their stores.
struct DeliveryErrorTests {
  private static let time = Timestamp(seconds: 978_307_200)

  private func expect(
    _ error: any Error, _ status: IAPKGCommands.ExitStatus, _ texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = CommandError(error, cancellation: Cancellation(), inputs: [])
    #expect(found.status == status, "\(found.message)", sourceLocation: sourceLocation)
    for text in texts {
      #expect(found.message.contains(text), "\(found.message)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a release that is missing or not for the client has its exit code and message`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let version = try #require(ContentVersion("1.1"))
    let beta = try #require(Channel("beta"))
    let half = try #require(RolloutShare(percentage: "50%"))
    expect(PublishingError.noProduct(product, store: "store"), .noInput, "store has no product \(product)")
    expect(PublishingError.noVersion(product, version, store: "store"), .noInput, "has no version 1.1")
    expect(
      FetchError.noRelease(product, channel: beta, store: "store"), .noInput,
      "in the channel 'beta' that is not withdrawn")
    expect(FetchError.inRollout(product, version, share: half), .noInput, "in rollout (50 %)", "try again")
    expect(FetchError.inRollout(product, version, share: .none), .noInput, "in rollout (0 %)", "it is paused")
    expect(FetchError.appTooOld(product, version, minimum: version), .invalid, "update the app first")
    expect(FetchError.appTooNew(product, version, maximum: version), .invalid, "of the app or earlier")
    expect(FetchError.withdrawn(product, version, reason: "broken"), .invalid, "was withdrawn: broken")
    expect(FetchError.noOrigin(product), .noInput, "has no recorded store")
    expect(
      FetchError.folderMissing(product, version, lower: nil), .invalid, "its folder is missing",
      "wait for a newer release, or remove the product with iapkg remove \(product)")
    expect(
      FetchError.folderMissing(product, version, lower: version), .invalid,
      "use --allow-downgrade to install 1.1")
  }

  @Test func `a store that is expired, damaged or not trusted has its exit code and message`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    expect(
      FetchError.expired(store: "store", Self.time), .untrustworthy, "expired at 2001-01-01T00:00:00Z",
      "--allow-expired")
    expect(
      FetchError.trustExpired(store: "store", version: 2, Self.time), .untrustworthy, "trust document 2",
      "--allow-expired")
    for error in [FetchError.originUnreadable(product), .storeUnreadable(store: "store")] {
      expect(error, .inputOutput, "is damaged", "with --trust")
    }
    for (advice, text) in [
      (.trustKeys, "name it with --trust"), (.renewCatalog(above: 2), "the next catalog must be above 2"),
      (.trustDocumentLost, "from a later backup"), (.signCatalog, "tell the publisher"),
    ] as [(StoreAdvice, String)] {
      expect(IntegrityError("catalog.json", "is bad", advice: advice), .untrustworthy, "is bad; ", text)
    }
  }

  @Test func `after a number near the maximum, a trust document is the remedy`() {
    let limit = DocumentLimits.maximumRequestedSequence
    for (sequence, text) in [(limit - 1, "--at-least"), (limit, "make a trust document with iapkg trust")] {
      for error in [
        IntegrityError("catalog.json", "is bad", advice: .renewCatalog(above: sequence)),
        PublishingError.storeBehind(store: "store", sequence: 1, remembered: sequence),
        PublishingError.copyAhead(store: "copy", sequence: sequence, source: "store", sourceSequence: 1),
      ] as [any Error] {
        expect(error, .untrustworthy, text)
      }
    }
    expect(
      PublishingError.sequenceExhausted(store: "store", sequence: DocumentLimits.maximumSequence), .invalid,
      "make a trust document with iapkg trust", "another store")
  }

  @Test func `a copy that loses entries names some of them, and counts the others`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let entries = try (0..<7).map { CatalogEntry.release(product, try #require(ContentVersion("2.\($0)"))) }
    expect(
      PublishingError.copyLoses(store: "books", source: "games", entries), .untrustworthy,
      "the catalog of books has \(product) 2.0, ", "\(product) 2.4 and 2 more", "--replace")
    let withdrawal = CatalogEntry.withdrawal(product, try #require(ContentVersion("1.1")))
    expect(
      PublishingError.copyLoses(store: "books", source: "games", [withdrawal]), .untrustworthy,
      "the withdrawal of \(product) 1.1")
  }
}

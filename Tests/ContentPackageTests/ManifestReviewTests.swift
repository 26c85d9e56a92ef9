import Testing

@testable import ContentPackage

struct ManifestReviewTests {
  private func review(_ dictionary: String) -> ManifestReview {
    ManifestReview(of: Array("<plist version=\"1.0\">\n\(dictionary)\n</plist>".utf8))
  }

  @Test func `a manifest that iapkg writes has no findings`() throws {
    let info = ContentInfo(
      productIdentifier: try #require(ProductIdentifier("a.b")),
      contentVersion: try #require(ContentVersion("1.2")))
    let review = ManifestReview(of: info.manifest)
    #expect(review.contentInfo == info)
    #expect(review.findings == [])
  }

  @Test func `a wrong value is reported with its line`() {
    let review = review(
      """
      <dict>
      <key>ContentVersion</key><string>1.0-beta</string>
      <key>IAPProductIdentifier</key>
      <string>../a</string>
      </dict>
      """)
    #expect(review.contentInfo == nil)
    #expect(review.findings.map(\.rule) == [.manifestProductIdentifier, .manifestContentVersion])
    #expect(review.findings.map(\.line) == [4, 3])
  }

  @Test func `missing keys are reported with their misspelled forms`() {
    let review = review("<dict>\n<key>IAPProductionIdentifier</key>\n<string>a</string>\n</dict>")
    #expect(
      review.findings.map(\.rule) == [.manifestMissingKey, .manifestMissingKey, .manifestMisspelledKey])
    #expect(review.findings.last?.line == 3)
    #expect(review.findings.last?.remedy == "rename the key to IAPProductIdentifier")
  }

  @Test func `a valid part of the identity is kept`() {
    let review = review("<dict><key>ContentVersion</key><string>3</string></dict>")
    #expect(review.contentVersion == ContentVersion("3"))
    #expect(review.productIdentifier == nil)
    #expect(review.contentInfo == nil)
  }

  @Test(arguments: [
    ("<array/>", Rule.manifestWrongType), ("<string>a</string>", .manifestWrongType),
    ("<dict><key>a</key></dict>", .manifestUnreadable),
    ("<dict><key>a</key><true/><key>a</key><true/></dict>", .manifestDuplicateKey),
    ("<dict><key>&a;</key><true/></dict>", .manifestUnsafeXml),
  ])
  func `a file that is not a manifest gives one finding`(_ text: String, _ rule: Rule) {
    #expect(review(text).findings.map(\.rule) == [rule])
  }

  @Test func `a manifest over 1 MiB is not read`() {
    #expect(ManifestReview.sizeFinding(1_048_576) == nil)
    #expect(ManifestReview.sizeFinding(1_048_577)?.rule == .manifestUnreadable)
  }
}

import ContentPackage
import Testing

struct MisspellingTests {
  @Test(arguments: [
    ("IAPProductionIdentifier", "IAPProductIdentifier"),
    ("iapproductidentifier", "IAPProductIdentifier"), ("IAP Product Identifier", "IAPProductIdentifier"),
    ("IAP-ProductIdentifer", "IAPProductIdentifier"), ("ProductIdentifier", "IAPProductIdentifier"),
    ("contentVersion", "ContentVersion"), ("Content_Version", "ContentVersion"),
    ("ContentVerison", "ContentVersion"),
    ("ContentsVersion", "ContentVersion"),
  ])
  func `a similar key is a likely misspelling`(_ word: String, _ right: String) {
    #expect(Misspelling.isLikely(word, of: right))
  }

  @Test(arguments: [
    "", "Folder", "Files", "Content", "Version", "CFBundleVersion", "CFBundleShortVersionString",
    "CFBundleIdentifier", "DTXcode", "MinimumOSVersion", "ContentDescription",
    String(repeating: "ContentVersion", count: 9),
  ])
  func `an unrelated key is not a misspelling`(_ word: String) {
    for right in ["IAPProductIdentifier", "ContentVersion"] {
      #expect(!Misspelling.isLikely(word, of: right))
    }
  }

  @Test func `the nearest of several words is found`() {
    let rules = ["file/junk", "file/script", "link/loop"]
    #expect(Misspelling.nearest(to: "file/scripts", among: rules) == "file/script")
    #expect(Misspelling.nearest(to: "nonsense", among: rules) == nil)
  }
}

import PackageForge
import PropertyList
import Testing

@testable import Conversion

/// The conversion of manifests that Xcode has processed.
struct ManifestCleaningTests {
  private func manifest(_ more: (String, String)...) -> [UInt8] {
    let pairs = [("ContentVersion", "1.0"), ("IAPProductIdentifier", "a")] + more
    return PropertyListDocument.xml(pairs.map { (key: $0.0, value: $0.1) })
  }

  @Test func `a clean manifest stays unchanged`() {
    let cleaning = ManifestCleaning(manifest(("Folder", "a")), strippingXcodeKeys: true)
    #expect(cleaning.bytes == nil)
    #expect(cleaning.changes == [])
  }

  @Test func `the keys of Xcode are removed only on request`() {
    let processed = manifest(("DTCompiler", "x"), ("Folder", "a"), ("MinimumOSVersion", "5"))
    #expect(ManifestCleaning(processed, strippingXcodeKeys: false).bytes == nil)
    let cleaning = ManifestCleaning(processed, strippingXcodeKeys: true)
    #expect(cleaning.bytes == manifest(("Folder", "a")))
    #expect(
      cleaning.changes == ["removed the keys of Xcode from ContentInfo.plist: DTCompiler, MinimumOSVersion"])
  }

  @Test func `an unreadable manifest stays unchanged`() {
    #expect(ManifestCleaning(Array("bplist00".utf8), strippingXcodeKeys: true).bytes == nil)
  }
}

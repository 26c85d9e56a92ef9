import PropertyList
import Support

/// Converts a manifest to the form of a content folder.
struct ManifestCleaning {
  /// The keys that Xcode adds to a processed property list, in addition to those that begin with `DT`.
  private static let xcodeKeys: Set<String> = [
    "BuildMachineOSBuild", "CFBundleSupportedPlatforms", "MinimumOSVersion", "UIDeviceFamily",
  ]
  private static let xcodePrefix = "DT"

  /// The converted manifest; nil if it is unchanged or unreadable.
  private(set) var bytes: [UInt8]?
  /// The changes made, as sentences without a full stop, safe to print.
  private(set) var changes: [String] = []

  /// Converts a manifest.
  ///
  /// - Parameters:
  ///   - original: The original manifest.
  ///   - strips: Whether the keys that Xcode added are removed.
  init(_ original: [UInt8], strippingXcodeKeys strips: Bool) {
    guard let document = try? PropertyListDocument.parse(original), let entries = document.entries else {
      return
    }
    let added = strips ? entries.filter { Self.isXcodeKey($0.key) } : []
    guard document.format == .binary || !added.isEmpty else { return }
    let kept = entries.filter { entry in !added.contains { $0.key.utf8.elementsEqual(entry.key.utf8) } }
    guard let xml = PropertyListDocument.xml(.dictionary(kept)) else {
      changes = [
        "kept ContentInfo.plist as a binary property list, because XML cannot represent some of its values"
      ]
      return
    }
    bytes = xml
    if document.format == .binary {
      changes.append("converted ContentInfo.plist from a binary property list to XML")
    }
    if !added.isEmpty {
      let names = added.map { String(displaying: $0.key.utf8) }.joined(separator: ", ")
      changes.append("removed the keys of Xcode from ContentInfo.plist: \(names)")
    }
  }

  private static func isXcodeKey(_ key: String) -> Bool {
    key.utf8.starts(with: xcodePrefix.utf8) || xcodeKeys.contains(key)
  }
}

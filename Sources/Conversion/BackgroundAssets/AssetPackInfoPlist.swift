import ContentPackage
package import Delivery
import StrictJSON

/// The keys that the Info.plist of an app with self-hosted asset packs needs.
package struct AssetPackInfoPlist: Sendable {
  /// The identifier of the app group.
  package let appGroup: String
  /// The address of the download manifest.
  package let manifestAddress: String
  /// The domain of the archives.
  package let host: String
  /// The size of the archives with the policy prefetch, in bytes.
  package let prefetchBytes: Int64
  /// The size of the archives with the policy essential, in bytes.
  package let essentialBytes: Int64
  /// The unpacked size of the packs with these two policies, which the system downloads unrequested, in bytes.
  package let unpackedBytes: Int64
  /// The identifiers of the packs whose unpacked size is unknown; the size of their archives counts instead.
  package let estimated: [String]

  /// Adds up the sizes of the packs in a download manifest.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - project: The packs with their unpacked sizes. For a pack that only the manifest has, the size of the archive
  ///     counts.
  ///   - appGroup: The app group.
  ///   - address: The address of the manifest.
  ///   - host: The domain of the archives.
  package init(
    of manifest: DownloadManifest, _ project: AssetPackProject, appGroup: String, address: String,
    host: String
  ) {
    self.appGroup = appGroup
    manifestAddress = address
    self.host = host
    func bytes(_ key: String) -> Int64 {
      SizeRules.sum(manifest.packs.lazy.filter { $0.policy[key] != nil }.map(\.byteCount))
    }
    prefetchBytes = bytes("prefetch")
    essentialBytes = bytes("essential")
    let sizes = Dictionary(project.packs.map { ($0.manifest?.identifier ?? "", $0.selection.byteCount) }) {
      first, _ in first
    }
    let automatic = manifest.packs.filter { $0.policy["onDemand"] == nil }
    unpackedBytes = SizeRules.sum(automatic.lazy.map { sizes[$0.identifier] ?? $0.byteCount })
    estimated = automatic.map(\.identifier).filter { sizes[$0] == nil }
  }

  /// The property list as XML.
  package var bytes: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>BAAppGroupID</key>
        <string>\(Self.escaped(appGroup))</string>
        <key>BAHasManagedAssetPacks</key>
        <true/>
        <key>BAInitialDownloadRestrictions</key>
        <dict>
          <key>BADownloadAllowance</key>
          <integer>\(prefetchBytes)</integer>
          <key>BADownloadDomainAllowList</key>
          <array>
            <string>\(Self.escaped(host))</string>
          </array>
          <key>BAEssentialDownloadAllowance</key>
          <integer>\(essentialBytes)</integer>
        </dict>
        <key>BAManifestURL</key>
        <string>\(Self.escaped(manifestAddress))</string>
        <key>BAMaxInstallSize</key>
        <integer>\(unpackedBytes)</integer>
        <key>BAUsesAppleHosting</key>
        <false/>
      </dict>
      </plist>

      """.utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

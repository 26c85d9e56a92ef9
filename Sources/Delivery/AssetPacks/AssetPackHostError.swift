#if COMMAND_LINE_TOOL
/// A reason why asset packs are not published. `manifest` is the address of the download manifest.
package enum AssetPackHostError: Error, Sendable, Equatable {
  /// The identifier is not valid in an address.
  case identifier(String)
  /// The store has a catalog of packages.
  case catalogFound(store: String)
  /// The store has no asset packs with these identifiers, and never had them.
  case unknownPacks(store: String, [String])
  /// The store has archives of these packs but no manifest, and the publication lacks the packs.
  case manifestLost(manifest: String, packs: [String])
  /// The manifest is not valid.
  case damagedManifest(manifest: String, reason: String)
  /// There is no manifest.
  case noManifest(manifest: String)
  /// No address in the manifest is below `expected`; `found` is the first one.
  case otherBase(manifest: String, found: String, expected: String)
  /// The next manifest exceeds the maximum size.
  case manifestTooLarge(manifest: String, byteCount: Int)
  /// The pack has the maximum version.
  case versionsExhausted(String)
}
#endif

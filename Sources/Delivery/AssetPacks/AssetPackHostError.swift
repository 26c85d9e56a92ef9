#if COMMAND_LINE_TOOL
/// A reason why asset packs are not published.
package enum AssetPackHostError: Error, Sendable, Equatable {
  /// The identifier cannot be a part of an address.
  case identifier(String)
  /// The store is one of packages.
  case catalogFound(store: String)
  /// The store has no asset packs with these identifiers, and never had them.
  case unknownPacks(store: String, [String])
  /// The store has archives of these packs, which are not published, and no manifest.
  case manifestLost(place: String, packs: [String])
  /// The manifest is not valid.
  case damagedManifest(place: String, reason: String)
  /// There is no manifest.
  case noManifest(place: String)
  /// The manifest has no address below `expected`, but others such as `found`.
  case otherBase(place: String, found: String, expected: String)
  /// The next manifest exceeds the maximum size.
  case manifestTooLarge(place: String, byteCount: Int)
  /// The pack has the maximum version.
  case versionsExhausted(String)
}
#endif

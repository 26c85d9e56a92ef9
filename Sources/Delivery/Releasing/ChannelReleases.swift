#if COMMAND_LINE_TOOL
import ContentPackage

/// The releases of a product in one channel, which decide whether content is a new release.
struct ChannelReleases: Sendable {
  /// The decision about content.
  enum Decision {
    /// The content is identical to that of the newest release, and no higher version was withdrawn.
    case unchanged(Release)
    /// The content is a new release under its version.
    case new
    /// The version must be raised.
    case notRaised(Finding)
  }

  private let product: ProductReleases?
  /// The newest release that was not withdrawn; nil if there is none.
  let newest: Release?
  /// The release with the highest version, which may be withdrawn; nil if there is none.
  let highest: Release?

  /// Selects the releases of a channel.
  ///
  /// - Parameters:
  ///   - product: The releases of the product in all channels; nil if there are none.
  ///   - channel: The channel.
  init(_ product: ProductReleases?, in channel: Channel) {
    self.product = product
    newest = product?.newest(in: channel, withdrawn: false)
    highest = product?.newest(in: channel, withdrawn: true)
  }

  /// Decides whether content is a new release. If `highest` was withdrawn, the content must differ from it. Clients
  /// keep a withdrawn version above the newest release until a higher version replaces it, so even unchanged content
  /// then needs a higher version.
  ///
  /// - Parameters:
  ///   - version: The version of the content.
  ///   - differenceCount: The number of differences from `newest`; nil if `newest` is nil or its index is lost.
  /// - Returns: The decision.
  func decision(on version: ContentVersion, differenceCount: Int?) -> Decision {
    if let newest, newest == highest, differenceCount == 0 { return .unchanged(newest) }
    if isHighest(version) {
      return PublicationRules.refusal(of: version, among: product).map(Decision.notRaised) ?? .new
    }
    let above = highest?.contentVersion.text ?? "it"
    let found =
      if differenceCount == 0 {
        "content is identical to the newest release, below the withdrawn version \(above), which clients keep, and "
          + "its version \(version) is not above that"
      } else if let differenceCount, newest == highest {
        "content differs in \(differenceCount) place\(differenceCount == 1 ? "" : "s") from the newest release, and its "
          + "version \(version) is not above \(above)"
      } else {
        "version \(version) is not above \(above), which was withdrawn and which clients keep"
      }
    return .notRaised(Finding(.versionNotRaised, at: PackageLayout.manifest, found))
  }

  /// Returns the lowest unused version of the product above `version` and all releases of the channel; nil if there is
  /// none.
  func raisedVersion(from version: ContentVersion) -> ContentVersion? {
    var next = isHighest(version) ? version.bumped() : highest?.contentVersion.bumped()
    while let used = next, isKnown(used) { next = used.bumped() }
    return next
  }

  private func isHighest(_ version: ContentVersion) -> Bool {
    highest.map { $0.contentVersion < version } ?? true
  }

  private func isKnown(_ version: ContentVersion) -> Bool { product?.hasEverReleased(version) == true }
}
#endif

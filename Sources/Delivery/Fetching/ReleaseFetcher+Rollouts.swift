import Installation

// The participation of a `Documents` folder in staged rollouts.
extension ReleaseFetcher {
  /// Returns the participation of the client in rollouts. The number of the folder is generated when a rollout first
  /// needs it.
  ///
  /// - Parameters:
  ///   - choice: The requested release.
  ///   - releases: The releases of the product.
  ///   - time: The time of the store.
  ///   - recording: Whether a new number is recorded. Otherwise, a folder without a number does not take part.
  /// - Returns: The participation; `.none` if no number can be recorded.
  /// - Throws: The errors of `InstalledProducts.folderNote`.
  func participation(
    of choice: ReleaseChoice, in releases: ProductReleases, at time: Timestamp, recording: Bool
  ) throws -> ReleaseClient.Participation {
    if choice.joinsRollouts { return .all }
    guard choice.contentVersion == nil, ClientReleases.needNumber(releases, in: choice.channel, at: time)
    else {
      return .none
    }
    let products = InstalledProducts(access)
    let known = try ifDocumentsExist { try products.folderNote() }
    if let number = known.flatMap(RolloutNumber.init(note:)) { return .number(number) }
    guard recording else { return .none }
    var number: RolloutNumber?
    try self.recording {
      let note = try products.note { known in
        known.flatMap(RolloutNumber.init(note:))?.note ?? RolloutNumber.random().note
      }
      number = note.flatMap(RolloutNumber.init(note:))
    }
    return number.map(ReleaseClient.Participation.number) ?? .none
  }
}

extension StoreReader {
  /// Returns the time of the store, which is never before the publication of its catalog.
  func time(of current: CurrentCatalog) -> Timestamp {
    let now = Timestamp(seconds: Timestamp.now.seconds + (store.clockDifference ?? 0))
    return max(now, current.catalog.published)
  }
}

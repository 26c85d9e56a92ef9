public import ContentPackage
public import Installation
import Support

// What a program uses that is not iapkg itself.
extension ReleaseFetcher {
  /// A fetcher of the products of one store.
  ///
  /// Nothing is asked of the store yet. How large a release may be, the number of threads, the cancellation and the
  /// progress are those of the context of the installer's `DocumentsAccess`.
  ///
  /// - Parameters:
  ///   - location: a folder, `s3://bucket/prefix`, or the `https` or `http` address of a web server. The credentials of
  ///     a bucket and the proxies come from the usual variables of the environment.
  ///   - keys: keys that may sign the catalog, beside those that `Documents` remembers of the store and of the product's
  ///     origin. The catalog of a store that is not known needs one of them, or may have any without them.
  ///   - replacesKeys: whether `Documents` forgets all other keys of the store.
  ///   - token: sent to the web server of the store, and to no other (`Authorization: Bearer`).
  ///   - allowsExpired: whether a catalog will do that has expired.
  ///   - installer: how and where releases are installed.
  ///   - transfers: says how far each product is, and pauses what it fetches.
  /// - Throws: `StoreError` for an address or a token that cannot be used, `FileError` for a folder that is not there.
  public init(
    from location: String, trusting keys: TrustedKeys? = nil, replacingKeys replacesKeys: Bool = false,
    token: String? = nil, allowsExpired: Bool = false, installer: PackageInstaller,
    transfers: TransferProgress = TransferProgress()
  ) throws {
    let store = try StoreLocation.open(
      location, headers: try token.map { [try Self.authorization($0, location)] } ?? [],
      cancellation: installer.access.context.cancellation, pauseRequest: transfers.pauseRequest)
    self.init(
      StoreReader(store), location: try StoreLocation.absolute(location),
      trusting: try keys.map { try NamedKeys($0, replacingOthers: replacesKeys) },
      allowsExpired: allowsExpired, installer: installer,
      transfers: transfers)
  }

  /// Installs a release of a product, and blocks until it is done.
  ///
  /// Files that an installed version has are taken from there, and so is what an earlier try has received. `Documents`
  /// remembers the store, the channel and the key for `update`.
  ///
  /// - Parameters:
  ///   - product: the product.
  ///   - choice: which release; the newest of the stable channel unless given.
  /// - Returns: what became of it.
  /// - Throws: `FetchError` and `PublishingError` where there is no such release, `Untrustworthy` for what is not as
  ///   it was signed, `StoreError` where the store cannot be reached or read, `Interruption` for work that was
  ///   cancelled, and what `PackageInstaller.install` throws. The product is then as it was before, and what was received
  ///   is kept for the next try.
  public func fetch(_ product: ProductIdentifier, _ choice: ReleaseChoice = ReleaseChoice()) throws -> Result
  {
    try Self.interruptible(access.context.cancellation) {
      let fetcher = ReleaseFetcher(
        reader.countingAnew(), location: location, trusting: named, allowsExpired: allowsExpired,
        installer: installer, transfers: transfers)
      return try transfers.following(product) {
        try fetcher.fetch(try fetcher.plan(try fetcher.candidate(product, choice), resuming: .moving))
      }
    }
  }

  /// Brings a product up to date from the store that it was fetched from, and blocks until it is done.
  ///
  /// - Parameters:
  ///   - product: the product.
  ///   - keys: keys that may sign the catalog, beside those that `Documents` remembers.
  ///   - installer: how and where releases are installed.
  ///   - transfers: says how far the product is, and pauses what is fetched.
  /// - Returns: what became of it; nil if the store has no newer release than the installed one.
  /// - Throws: as `fetch`, and `FetchError.noOrigin` for a product that was not fetched.
  public static func update(
    _ product: ProductIdentifier, trusting keys: TrustedKeys? = nil, installer: PackageInstaller,
    transfers: TransferProgress = TransferProgress()
  ) throws -> Result? {
    try interruptible(installer.access.context.cancellation) {
      guard let origin = try ProductOrigin.of(product, in: installer.access) else {
        throw FetchError.noOrigin(product)
      }
      let fetcher = try ReleaseFetcher(
        from: origin.store, trusting: keys, installer: installer, transfers: transfers)
      let choice = ReleaseChoice(channel: origin.channel)
      return try transfers.following(product) {
        switch try fetcher.plan(product, choice, resuming: .moving, keeping: .sameOrNewer) {
        case .fetch(let plan): return try fetcher.fetch(plan)
        case .current(let current):
          try fetcher.settle(current)
          return nil
        }
      }
    }
  }

  /// - Throws: `StoreError`, which does not repeat the token: it is a secret.
  private static func authorization(_ token: String, _ location: String) throws(StoreError) -> HTTPHeader {
    guard let header = HTTPHeader.bearer(token) else {
      throw StoreError(
        .unsuitable, location, "the token for \(location) is empty, or has a character that none may have")
    }
    return header
  }

  /// Runs `work` with the error that a store gives for work that was cancelled as `Interruption`.
  private static func interruptible<Value>(
    _ cancellation: Cancellation, _ work: () throws -> Value
  ) throws -> Value {
    do {
      return try work()
    } catch let error as StoreError where error.reason == .cancelled {
      try cancellation.check()
      throw error
    }
  }
}

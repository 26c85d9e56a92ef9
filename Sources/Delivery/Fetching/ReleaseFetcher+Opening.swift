public import ContentPackage
import HTTPTransport
public import Installation
import Support

// The public API.
extension ReleaseFetcher {
  /// Creates a fetcher for the products of one store, without contacting the store.
  ///
  /// The limits, the number of threads, the cancellation and the progress are those of the context of the installer's
  /// `DocumentsAccess`.
  ///
  /// - Parameters:
  ///   - location: A folder, `s3://bucket/prefix`, or the `https` or `http` address of a web server. The credentials of
  ///     a bucket and the proxies are read from the usual environment variables.
  ///   - keys: Keys that may sign the catalog, in addition to the recorded keys of the store and of the product's
  ///     origin. For an unknown store, one of them must have signed the catalog; without them, any signature or none is
  ///     accepted.
  ///   - replacesKeys: Whether all other recorded keys of the store, and its trust documents, are removed. Naming keys
  ///     or documents that led the client to the newest document removes nothing.
  ///   - token: A bearer token, sent to the web server of the store only (`Authorization: Bearer`).
  ///   - allowsExpired: Whether an expired catalog or trust document is accepted.
  ///   - installer: The installer of the releases.
  ///   - transfers: Reports the progress of each product and pauses its transfer.
  /// - Throws: `StoreError` for an invalid address or token, `FileError` for a missing folder.
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

  /// Installs a release of a product, and blocks until the installation ends.
  ///
  /// Reuses the files of installed versions and the received files of an earlier attempt. Records the store, the
  /// channel and the key in `Documents` for `update`.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - choice: The requested release, by default the newest of the stable channel.
  /// - Returns: The result of the installation.
  /// - Throws: `FetchError` and `PublishingError` if there is no such release, `IntegrityError` for content that fails
  ///   verification, `StoreError` if the store cannot be reached or read, `Interruption` after a cancellation, and the
  ///   errors of `PackageInstaller.install`. The product is then unchanged, and the received files are kept for a
  ///   retry.
  public func fetch(_ product: ProductIdentifier, _ choice: ReleaseChoice = ReleaseChoice()) throws -> Result
  {
    try Self.interruptible(access.context.cancellation) {
      let fetcher = withSharedCatalog()
      return try transfers.tracking(product, succeedingIf: \.isAccepted) {
        try fetcher.fetch(try fetcher.plan(product, choice))
      }
    }
  }

  /// Returns a fetcher that reads the catalog once.
  func withSharedCatalog() -> ReleaseFetcher {
    ReleaseFetcher(
      reader.sharingCatalog(), location: location, trusting: named, allowsExpired: allowsExpired,
      installer: installer, transfers: transfers)
  }

  /// Checks the store for a release that would replace the installed version, and installs nothing.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - choice: The requested release, by default the newest of the stable channel.
  /// - Returns: The plan of the installation, with the metadata of the release; nil if the store has no newer release.
  /// - Throws: The errors of `fetch`, except those of the installation.
  public func newerRelease(
    of product: ProductIdentifier, _ choice: ReleaseChoice = ReleaseChoice()
  ) throws -> Plan? {
    try Self.interruptible(access.context.cancellation) {
      try transfers.tracking(product) {
        switch try fetch(product, choice, keeping: .sameOrNewer, for: .survey) {
        case .planned(let plan, _, _): plan
        case .current, .fetched: nil
        }
      }
    }
  }

  /// Reads the notes of a release in the language that suits a reader best.
  ///
  /// - Parameters:
  ///   - plan: The plan of the release, from this store.
  ///   - languages: The languages of the reader, preferred first. Without a match, the notes are those without a
  ///     language, the English ones, or any others.
  /// - Returns: The notes; nil if the release has none.
  /// - Throws: `IntegrityError` for notes that fail verification, `StoreError` if the store cannot be reached or read,
  ///   `Interruption` after a cancellation.
  public func notes(of plan: Plan, for languages: [LanguageTag]) throws -> ReleaseNotes? {
    try Self.interruptible(access.context.cancellation) { try reader.notes(plan.notes, for: languages) }
  }

  /// Updates a product from the store that it was fetched from, and blocks until the update ends.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - keys: Keys that may sign the catalog, in addition to the recorded ones.
  ///   - joinsRollouts: Whether the client takes part in every staged rollout that is not paused.
  ///   - installer: The installer of the releases.
  ///   - transfers: Reports the progress of the product and pauses its transfer.
  /// - Returns: The result of the installation; nil if the store has no newer release and the options of the installer
  ///   do not force a reinstallation.
  /// - Throws: The errors of `fetch`, and `FetchError.noOrigin` for a product that was not fetched.
  public static func update(
    _ product: ProductIdentifier, trusting keys: TrustedKeys? = nil,
    joiningRollouts joinsRollouts: Bool = false, installer: PackageInstaller,
    transfers: TransferProgress = TransferProgress()
  ) throws -> Result? {
    try interruptible(installer.access.context.cancellation) {
      try transfers.tracking(product, succeedingIf: { $0?.isAccepted ?? true }) {
        let outcome = try update(product, UpdateRequest(joiningRollouts: joinsRollouts), installer: installer)
        {
          try ReleaseFetcher(from: $0, trusting: keys, installer: installer, transfers: transfers)
        }
        return if case .fetched(let result) = outcome { result } else { nil }
      }
    }
  }

  /// Returns the header that sends a token.
  ///
  /// - Throws: `StoreError`, which does not contain the token: it is a secret.
  private static func authorization(_ token: String, _ location: String) throws(StoreError) -> HTTPHeader {
    guard let header = HTTPHeader.bearer(token) else {
      throw StoreError(
        .unsuitable, location, "the token for \(location) is empty or has an invalid character")
    }
    return header
  }

  /// Performs `work`, and rethrows a store's cancellation error as `Interruption`.
  static func interruptible<Value>(
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

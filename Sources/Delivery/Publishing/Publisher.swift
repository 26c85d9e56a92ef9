#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import StrictJSON

/// Publishes packages: validates them, uploads them, and adds them to the catalog atomically.
package struct Publisher: Sendable {
  /// The settings for publishing packages.
  package struct Options: Sendable {
    /// The channel of new releases.
    package let channel: Channel
    /// The properties of new releases.
    package let attributes: ReleaseAttributes
    /// Whether a version below the highest of its channel is allowed.
    package let allowsOlder: Bool

    /// Creates settings, by default without attributes.
    package init(
      channel: Channel, _ attributes: ReleaseAttributes = ReleaseAttributes(), allowsOlder: Bool
    ) {
      self.channel = channel
      self.attributes = attributes
      self.allowsOlder = allowsOlder
    }
  }

  /// The publication of one package.
  package struct Publication: Sendable {
    /// The result of a publication; the raw values appear in JSON output.
    package enum Outcome: String, Sendable {
      /// The package was added to the catalog, or would be in a dry run.
      case published
      /// The catalog already had the same package.
      case alreadyPublished = "already-published"
    }

    /// The validated package.
    package private(set) var package: PreparedPackage
    /// The result, planned or actual.
    package fileprivate(set) var outcome: Outcome
    /// The preceding release of the channel; nil for the first.
    package fileprivate(set) var previousVersion: ContentVersion?
    /// The bytes of an update from `previousVersion`, as `UpdateTransfer` counts them; nil without that version, or if
    /// its index is missing or damaged.
    package fileprivate(set) var updateBytes: Int64?
    /// The rollout that begins with the publication; nil for a release for all clients.
    package fileprivate(set) var rollout: Rollout?
    /// The release in the catalog, if the package was already published before this run.
    fileprivate var present: Release?
    /// The objects of `present` that are missing or damaged in the store, and are uploaded again.
    fileprivate(set) var damaged: [ObjectReference] = []
    /// Whether the release was already published, and keeps properties other than those given.
    package fileprivate(set) var keepsOtherProperties = false
    /// The number of bytes uploaded for the package.
    package internal(set) var uploadedBytes: Int64 = 0

    /// The path of the package in the store.
    package var path: StorePath { package.package.path }
    /// The paths of `damaged`.
    package var restored: [StorePath] { damaged.map(\.path) }
    /// The reason for the withdrawal of the published release, which stays withdrawn; nil if it was not withdrawn.
    package var withdrawn: String? { present?.withdrawn }

    /// Returns the publication without the bytes of its package, which are no longer needed.
    func withoutBytes() -> Publication {
      var publication = self
      publication.package = package.withoutBytes()
      return publication
    }
  }

  let change: CatalogChange
  let options: Options
  let progress: WorkProgress

  /// Creates a publisher to the store of `change`.
  package init(_ change: CatalogChange, options: Options, progress: WorkProgress) {
    self.change = change
    self.options = options
    self.progress = progress
  }

  /// Plans the publications, and changes nothing.
  ///
  /// - Parameters:
  ///   - packages: The packages.
  ///   - isDryRun: Whether nothing is changed, which requires no key.
  ///   - isPart: Whether the same change publishes other packages too, which a store without a catalog may already
  ///     have.
  /// - Returns: The publications, ordered by product and version.
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`.
  package func plan(
    _ packages: [PreparedPackage], isDryRun: Bool, isPart: Bool = false
  ) throws -> [Publication] {
    let ordered = packages.sorted {
      ($0.info.productIdentifier.text, $0.info.contentVersion)
        < ($1.info.productIdentifier.text, $1.info.contentVersion)
    }
    let current = try change.current(
      isDryRun: isDryRun, publishing: isPart ? nil : Set(packages.map(\.package.path)))
    var draft = CatalogDraft(current, reader: change.reader)
    let publications = try ordered.enumerated().map { index, package in
      try check(package, besides: ordered[..<index])
      let before = try draft.releases(of: package.info.productIdentifier)
      let isRepeated = ordered[..<index].contains { $0.package == package.package }
      if !isRepeated, let present = present(package, among: before) {
        let damaged = try damagedObjects(of: present, package)
        // The catalog refers to the objects of a withdrawn release too.
        if present.withdrawn == nil || !damaged.isEmpty {
          return Publication(
            package: package, outcome: .alreadyPublished, present: present, damaged: damaged,
            keepsOtherProperties: !options.attributes.agree(with: present, package.info, at: change.now()))
        }
      }
      guard try add(package, to: &draft) else {
        return Publication(package: package, outcome: .alreadyPublished)
      }
      let previous = before?.releases.first {
        $0.isIn(options.channel) && $0.withdrawn == nil
          && $0.contentVersion < package.info.contentVersion
      }
      let inThisRun = ordered.first { $0.package == previous?.package }
      let current = try inThisRun.map { try $0.fileDigests() } ?? previous.flatMap(fileDigests)
      return Publication(
        package: package, outcome: .published, previousVersion: previous?.contentVersion,
        updateBytes: try current.map { try package.updateBytes(from: $0) },
        rollout: options.attributes.rollout?.rollout(at: change.now(after: draft.current)))
    }
    try draft.checkReadable()
    if isDryRun { try change.checkNext(draft) }
    return publications
  }

  /// Verifies that no other package of the publication has the same version.
  private func check(
    _ package: PreparedPackage, besides others: ArraySlice<PreparedPackage>
  ) throws(PublishingError) {
    let (product, version) = (package.info.productIdentifier, package.info.contentVersion)
    let same = others.first {
      $0.info.productIdentifier == product && $0.info.contentVersion == version
        && $0.package != package.package
    }
    guard let other = same else { return }
    let finding = PublicationRules.repetition(of: version, of: product, in: [other.path, package.path])
    throw PublishingError.invalid(path: package.path, findings: [finding])
  }

  /// Returns the release of the channel with the bytes of a package.
  private func present(_ package: PreparedPackage, among releases: ProductReleases?) -> Release? {
    releases?.release(package.info.contentVersion).flatMap {
      $0.package == package.package && $0.isIn(options.channel) ? $0 : nil
    }
  }

  /// Returns the objects of a published package that are missing or damaged in the store.
  ///
  /// - Throws: `StoreError`, with `.missing` for an index or notes that this publication does not reproduce.
  private func damagedObjects(of release: Release, _ package: PreparedPackage) throws -> [ObjectReference] {
    let damaged = try release.objects.filter(isDamaged)
    for reference in damaged where reference != package.package {
      guard smallObjects(of: package).contains(where: { $0.reference == reference }) else {
        throw StoreReader.missing(change.reader.place(of: reference.path))
      }
    }
    return damaged
  }

  /// Returns whether an object of the catalog is missing or has another size or, if that is cheap to check, other
  /// bytes.
  private func isDamaged(_ reference: ObjectReference) throws -> Bool {
    guard try change.reader.hasObject(reference) else { return true }
    return try change.isReadCheaply(reference) && !change.reader.isIntact(reference)
  }

  /// Adds the uploaded packages to the catalog atomically, and verifies the result.
  ///
  /// - Returns: The publications, and the sequence number of the catalog.
  /// - Throws: `PublishingError` if another publisher has published conflicting releases; `IntegrityError`,
  ///   `StoreError`, `SignatureError`.
  package func commit(_ publications: [Publication]) throws -> (publications: [Publication], sequence: Int64)
  {
    let (results, sequence) = try commit(publications, skipsRefused: false)
    return (try results.map { try $0.get() }, sequence)
  }

  /// Adds the uploaded packages in the same way. With `skipsRefused`, a package that may no longer be published does
  /// not stop the others.
  ///
  /// - Returns: A result for each publication, and the sequence number of the catalog.
  /// - Throws: The errors of `commit`.
  func commit(
    _ publications: [Publication], skipsRefused: Bool
  ) throws -> (results: [Result<Publication, PublishingError>], sequence: Int64) {
    let packages = Set(publications.map(\.package.package.path))
    var (results, catalog) = try change.commit(adding: packages) { draft in
      try publications.map { publication -> Result<Publication, PublishingError> in
        var publication = publication
        guard publication.withdrawn == nil else { return .success(publication) }
        do {
          // Another publisher may have published the same package.
          if try !addUploaded(publication.package, to: &draft) { publication.outcome = .alreadyPublished }
        } catch let error as PublishingError where skipsRefused {
          return .failure(error)
        }
        return .success(publication)
      }
    }
    guard let catalog else {
      let place = change.reader.place(of: .catalog)
      throw StoreError(.missing, place, "\(place) disappeared after the publication")
    }
    for index in results.indices {
      guard case .success(var publication) = results[index] else { continue }
      let info = publication.package.info
      let releases = try change.reader.releases(of: info.productIdentifier, in: catalog)
      let release = releases?.release(info.contentVersion)
      guard release?.package == publication.package.package else {
        throw IntegrityError(
          change.reader.place(of: .catalog),
          "does not have \(info.productIdentifier) \(info.contentVersion), although it was published")
      }
      // The index of an earlier publication may have other bytes.
      if publication.outcome == .published {
        try checkPresence(of: publication.package, "was deleted while it was published; publish it again")
        publication.rollout = release?.rollout
        results[index] = .success(publication)
      }
    }
    return (results, catalog.sequence)
  }

  /// Adds an uploaded package, if it is still present: `prune` may have deleted it.
  ///
  /// - Returns: False if the catalog already has it.
  private func addUploaded(_ package: PreparedPackage, to draft: inout CatalogDraft) throws -> Bool {
    guard try add(package, to: &draft) else { return false }
    try checkPresence(of: package, "disappeared after it was uploaded")
    return true
  }

  /// Checks that the store has the objects of a release.
  ///
  /// - Throws: `StoreError` with `.missing` and the message `found` if an object of the release is missing.
  private func checkPresence(of package: PreparedPackage, _ found: String) throws(StoreError) {
    for reference in [package.package] + smallObjects(of: package).map(\.reference)
    where try !change.reader.hasObject(reference) {
      let place = change.reader.place(of: reference.path)
      throw StoreError(.missing, place, "\(place) \(found)")
    }
  }

  /// Adds a package to the catalog.
  ///
  /// - Returns: False if the catalog already has it.
  private func add(_ package: PreparedPackage, to draft: inout CatalogDraft) throws -> Bool {
    let info = package.info
    let decision = try PublicationRules.decide(
      info, package.package.digest, in: options.channel,
      among: try draft.releases(of: info.productIdentifier),
      remembering: change.rememberedRelease(of: info.productIdentifier, info.contentVersion),
      allowsOlder: options.allowsOlder
    ) { try hasContent(of: package, $0) }
    switch decision {
    case .current: return false
    case .refuse(let finding):
      throw PublishingError.invalid(path: package.path, findings: [finding])
    case .add:
      let time = change.now(after: draft.current)
      let release = package.release(in: options.channel, options.attributes, at: time)
      try draft.add(release, to: info.productIdentifier)
      return true
    }
  }

  /// Returns whether a release has the content of a package; false if it is not known, because an index is missing or
  /// damaged.
  private func hasContent(of package: PreparedPackage, _ release: Release) throws -> Bool {
    do {
      let content = try ReleaseContent(of: release, by: change.reader)
      return try ContentInfo.areEqualExceptVersion(content.manifest, package.index.head.manifest)
        && IndexContent(content.entries)
          == IndexContent(of: package.index, packageBytes: package.archiveBytes)
    } catch  where error.concernsObject || error is DocumentError {
      return false  // after `withoutBytes`, a package lacks the pages of its index
    }
  }

  /// Returns the digests of a release's files; nil if its index is missing or damaged, which does not prevent a new
  /// release.
  private func fileDigests(of release: Release) throws -> FileDigests? {
    do {
      return try FileDigests(of: release, by: change.reader)
    } catch  where error.concernsObject {
      return nil
    }
  }
}
#endif

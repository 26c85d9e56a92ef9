public import ContentPackage
import Installation
import SafeFiles
import StrictJSON
import Support

// Downloads in parts, which the system can perform while the app is suspended.
extension ReleaseFetcher {
  /// A download in parts, which survives restarts of the app.
  public struct PartedDownload: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version that is downloaded.
    public let contentVersion: ContentVersion
    /// The parts, at most 100; none if everything is present locally.
    public let parts: [DownloadPart]

    /// The parts that are not accepted yet.
    public var missingParts: [DownloadPart] { parts.filter { !$0.isKept } }
  }

  /// The effect of accepting a file.
  public enum Acceptance: Sendable {
    /// The content of the file is verified and on disk.
    case kept
    /// The part was accepted before; the file is ignored.
    case alreadyKept
  }

  /// Plans the download of a release in parts, and records the plan in `Documents`.
  ///
  /// An existing plan for the same release is kept, so that running requests keep their names. Otherwise, the new plan
  /// reuses accepted files and chunks of an earlier release. A planned transfer is in the state `waiting` until
  /// `finishParts`.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - choice: The requested release, by default the newest of the stable channel.
  /// - Returns: The download; nil if the installed version is not older.
  /// - Throws: `PartError`, and the errors of `fetch`.
  public func planParts(
    of product: ProductIdentifier, _ choice: ReleaseChoice = ReleaseChoice()
  ) throws -> PartedDownload? {
    try Self.interruptible(access.context.cancellation) {
      try transfers.tracking(product, endingIn: { $0 == nil ? .finished : .waiting }) {
        try withSharedCatalog().recordParts(of: product, choice)
      }
    }
  }

  /// Returns the recorded download of a product, without contacting the store; nil if there is none.
  ///
  /// - Throws: `PartError.noAddress`, `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`,
  ///   `RecordUnreadable`, `Interruption`.
  public func plannedParts(of product: ProductIdentifier) throws -> PartedDownload? {
    guard let (plan, known) = try recorded(product) else { return nil }
    return try download(of: product, plan, kept: known.parts)
  }

  /// Verifies a downloaded file and keeps its content. The file is not changed. Does not contact the store.
  ///
  /// A file with the whole package is accepted in place of all parts, since a server may ignore ranges.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - id: The name of the part.
  ///   - product: The product.
  /// - Returns: Whether the content is new.
  /// - Throws: `PartError.unknownPart`, `.wrongSize` or `.otherContent` for a file that does not fit, `.noPlan` if
  ///   the recorded index is damaged, and the errors of `plannedParts`. Nothing changes then.
  @discardableResult
  public func accept(
    _ path: String, forPart id: String, of product: ProductIdentifier
  ) throws -> Acceptance {
    guard let (plan, known) = try recorded(product),
      let wanted = plan.parts.first(where: { plan.name(of: $0) == id })
    else { throw PartError.unknownPart(product, id: id) }
    guard !known.parts.contains(id) else { return .alreadyKept }
    let file = try InputFile.open(path)
    let isPackage = file.byteCount == plan.package.byteCount
    let named = try part(wanted, of: plan, kept: [])
    guard isPackage || file.byteCount == named.byteCount else {
      throw PartError.wrongSize(named, found: file.byteCount)
    }
    let index = try keptIndex(known.index, of: plan, product)
    func keep(_ part: PartPlan.Part) throws -> Bool? {
      let reader: PartReader
      do {
        reader = try PartReader(part.range, of: plan.package, by: index, access.context.cancellation)
      } catch is DocumentError {
        throw PartError.noPlan(product)
      }
      return try InstalledProducts(access).keepPart(plan.name(of: part), of: product) {
        try reader.write(file, at: isPackage ? 0 : part.range.lowerBound, into: $0)
      }
    }
    do {
      guard let isKept = try keep(wanted) else { throw PartError.unknownPart(product, id: id) }
      guard isKept else { return .alreadyKept }
    } catch let error as IntegrityError {
      throw PartError.otherContent(named, reason: error.description)
    }
    for part in plan.parts where isPackage && part != wanted {
      // A part that is damaged in this file may arrive on its own.
      do { _ = try keep(part) } catch is IntegrityError {}
    }
    return .kept
  }

  /// Installs a product whose parts were all accepted, and blocks until the installation ends. Reads the catalog of the
  /// store first, to detect a different release.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - choice: The requested release, as for `planParts`.
  /// - Returns: The result of the installation.
  /// - Throws: `PartError.noPlan`, `.incomplete` with the missing parts, `.releaseChanged`, and the errors of `fetch`.
  public func finishParts(
    of product: ProductIdentifier, _ choice: ReleaseChoice = ReleaseChoice()
  ) throws -> Result {
    try Self.interruptible(access.context.cancellation) {
      try transfers.tracking(product, succeedingIf: \.isAccepted) { try installParts(of: product, choice) }
    }
  }

  /// Performs `finishParts` without reporting the final state.
  package func installParts(of product: ProductIdentifier, _ choice: ReleaseChoice) throws -> Result {
    let fetcher = withSharedCatalog()
    guard let (known, _) = try fetcher.recorded(product) else { throw PartError.noPlan(product) }
    let plan = try fetcher.plan(product, choice)
    guard let details = plan.details, details.content.release.package == known.package else {
      throw PartError.releaseChanged(
        product, planned: known.contentVersion, available: plan.contentVersion)
    }
    let missing = PartLayout.missing(of: details.content, reusing: details.reused)
    guard missing.isEmpty else {
      throw PartError.incomplete(product, try fetcher.record(plan).missingParts)
    }
    return try fetcher.fetch(plan)
  }
}

extension ReleaseFetcher {
  /// Performs `planParts` without reporting the state.
  private func recordParts(of product: ProductIdentifier, _ choice: ReleaseChoice) throws -> PartedDownload? {
    switch try plan(product, choice, resuming: .moving, keeping: .completeOrNewer) {
    case .current(let current):
      try current.requireFolder()
      try recordUpToDate(current)
      return nil
    case .fetch(let plan): return try record(plan)
    }
  }

  /// Records the download of a planned release, and forgets the parts whose files are lost.
  private func record(_ plan: Plan) throws -> PartedDownload {
    let product = plan.productIdentifier
    let products = InstalledProducts(access)
    guard let details = plan.details else { throw PartError.noPlan(product) }
    let missing = PartLayout.missing(of: details.content, reusing: details.reused)
    if let (known, download) = try recorded(product), known.package == details.content.release.package,
      let names = known.names(with: missing)
    {
      try products.forgetParts(names.intersection(download.parts).sorted(), of: product)
      let kept = KeptIndex(download.index)
      if !details.content.index.head.pages.allSatisfy({ kept.bytes(of: $0) != nil }) {
        try begin(known, plan, details)
      }
      return try self.download(of: product, known, kept: download.parts.subtracting(names))
    }
    if let refusal = try refusal(of: plan, comparingContent: true), refusal.outcome.isRefusal {
      throw PartError.refused(refusal)
    }
    let new = PartPlan(of: details.content, missing: missing)
    let download = try self.download(of: product, new, kept: [])
    // The same range may have been kept for an earlier plan, and its files may be lost.
    try ifDocumentsExist { try products.forgetParts(download.parts.map(\.id), of: product) }
    try begin(new, plan, details)
    return download
  }

  /// Writes a plan, with the index of its release.
  private func begin(_ parts: PartPlan, _ plan: Plan, _ details: Details) throws {
    try InstalledProducts(access).beginParts(
      of: plan.productIdentifier, note: downloadNote(of: plan, details).bytes, plan: parts.bytes,
      index: KeptIndex.parts(of: details.content.index))
  }

  /// Returns the recorded plan of a product; nil if it is missing or unreadable.
  private func recorded(
    _ product: ProductIdentifier
  ) throws -> (PartPlan, InstalledProducts.PartedDownload)? {
    let known = try ifDocumentsExist { try InstalledProducts(access).partedDownload(of: product) }
    guard let known, let plan = try? PartPlan(bytes: known.plan) else { return nil }
    return (plan, known)
  }

  private func keptIndex(
    _ file: InputFile, of plan: PartPlan, _ product: ProductIdentifier
  ) throws -> PagedIndex {
    do throws(DocumentError) {
      return try KeptIndex.index(in: file, packageBytes: plan.package.byteCount)
    } catch {
      throw PartError.noPlan(product)
    }
  }

  private func download(
    of product: ProductIdentifier, _ plan: PartPlan, kept: Set<String>
  ) throws -> PartedDownload {
    PartedDownload(
      productIdentifier: product, contentVersion: plan.contentVersion,
      parts: try plan.parts.map { try part($0, of: plan, kept: kept) })
  }

  private func part(_ part: PartPlan.Part, of plan: PartPlan, kept: Set<String>) throws -> DownloadPart {
    guard let address = reader.store.address(of: plan.package.path) else {
      throw PartError.noAddress(store: location)
    }
    let name = plan.name(of: part)
    return DownloadPart(
      id: name, address: address, range: part.range, digest: part.digest?.hexadecimal,
      isKept: kept.contains(name))
  }
}

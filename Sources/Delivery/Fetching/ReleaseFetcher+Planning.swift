package import ContentPackage
import Installation
import SafeFiles
import Support

// The selection of a release, and its transfer plan.
extension ReleaseFetcher {
  /// Selects the release that matches the request, and determines which of its bytes are present locally, including
  /// those of an earlier attempt. With `recordsCatalog`, the catalog is recorded regardless of the result.
  ///
  /// - Throws: `FetchError`, `PublishingError` for a product or version that the store lacks, `IntegrityError`,
  ///   `StoreError`, `FileError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func plan(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, resuming: Resumption,
    recording recordsCatalog: Bool = true,
    keeping kept: KeptVersion = .none
  ) throws -> UpdateCheck {
    try withCatalogProduct(product, choice, recording: recordsCatalog) { catalogProduct in
      if var current = try catalogProduct.current(store: reader.store.name, keeping: kept, reader.meter),
        try isPresent(current, keeping: kept)
      {
        if current.availableVersion != current.contentVersion {
          current.lacksFolder = try !InstalledProducts(access).hasFolder(product)
        }
        try checkContent(of: current, catalogProduct)
        return .current(current)
      }
      return .fetch(try plan(selected(catalogProduct), resuming: resuming))
    }
  }

  /// Returns whether as many files of an installed version exist as `kept` requires; true if the channel does not offer
  /// the version, which cannot be restored then.
  private func isPresent(_ current: CurrentProduct, keeping kept: KeptVersion) throws -> Bool {
    guard current.availableVersion == current.contentVersion else { return true }
    return switch kept {
    case .completeOrNewer: try InstalledProducts(access).isComplete(current.productIdentifier)
    case .presentOrNewer: try InstalledProducts(access).hasFolder(current.productIdentifier)
    case .none, .newer, .sameOrNewer: true
    }
  }

  /// Verifies that the release of the installed version still has the fetched content: a publisher may have reused the
  /// version, for instance after the loss of a catalog. Verifies nothing if the index of the fetched release is
  /// missing.
  ///
  /// - Throws: `FetchError.otherContent`, and the errors of `ReleaseContent.init`.
  private func checkContent(of current: CurrentProduct, _ catalogProduct: CatalogProduct) throws {
    let product = catalogProduct.product
    guard current.availableVersion == current.contentVersion,
      let release = catalogProduct.releases.release(current.contentVersion),
      let file = try ifDocumentsExist({ try InstalledProducts(access).index(of: product) }),
      let kept = try? KeptIndex.index(in: file, packageBytes: Limits.maximumBytes),
      ContentInfo(manifest: kept.head.manifest)?.contentVersion == current.contentVersion,
      SHA256Digest(of: kept.head.bytes) != release.index.digest,
      let fetched = try? IndexContent(of: kept, packageBytes: Limits.maximumBytes)
    else { return }
    let content = try ReleaseContent(of: release, by: reader, reusing: KeptIndex(file))
    guard IndexContent(content.entries) != fetched else { return }
    throw FetchError.otherContent(product, release.contentVersion)
  }

  /// Makes a plan regardless of the installed version.
  ///
  /// - Throws: The errors of `plan`.
  func plan(_ product: ProductIdentifier, _ choice: ReleaseChoice) throws -> Plan {
    try withCatalogProduct(product, choice) { try plan(selected($0), resuming: .moving) }
  }

  /// Performs `work` with the catalog entry of a product. If an object is missing, and the store has a newer catalog,
  /// performs `work` again with it.
  private func withCatalogProduct<Result>(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, recording recordsCatalog: Bool = true,
    _ work: (CatalogProduct) throws -> Result
  ) throws -> Result {
    let found = try catalogProduct(of: product, choice, recording: recordsCatalog)
    do {
      return try work(found)
    } catch let error as StoreError where error.reason == .missing {
      guard try reader.newerCatalog(than: found.sequence) != nil else { throw error }
      return try work(catalogProduct(of: product, choice, recording: recordsCatalog))
    }
  }

  /// The selected release of a product.
  struct SelectedRelease {
    let catalogProduct: CatalogProduct
    let release: Release
  }

  /// Selects the release that matches the request.
  private func selected(_ catalogProduct: CatalogProduct) throws -> SelectedRelease {
    SelectedRelease(
      catalogProduct: catalogProduct,
      release: try catalogProduct.choice.release(
        from: catalogProduct.releases, for: catalogProduct.client, store: reader.store.name))
  }

  private func catalogProduct(
    of product: ProductIdentifier, _ choice: ReleaseChoice, recording recordsCatalog: Bool = true
  ) throws -> CatalogProduct {
    transfers.begin(product, counting: reader.meter)
    context.progress.begin(.checking, location)
    let known = try trust(for: product)
    let store = StoreLocation.identity(of: location)
    let place = reader.place(of: .catalog)
    let (releases, current, trust) = try reader.withCatalog { found in
      var (current, trust, isWalked) = (found, known, false)
      do {
        if trust.isBehind(current), let direct = try reader.catalogBypassingCaches() { current = direct }
        trust = try reader.walk(trust, &current, allowsExpired: allowsExpired) { walked in
          if recordsCatalog, let note = walked.noteOfTrust(of: store) { try remember(note) }
        }
        isWalked = true
        try trust.check(current, at: place)
      } catch let error as IntegrityError {
        if recordsCatalog, isWalked, trust.acceptsSigner(of: current, at: place),
          let keys = trust.noteOfNamedKeys(of: store)
        {
          try remember(keys)
        }
        throw error
      }
      if recordsCatalog, trust.isEstablished {
        try remember(trust.note(of: store, after: current, at: place, adoptsSigner: false))
      }
      return (try reader.releases(of: product, in: current, allowsExpired: allowsExpired), current, trust)
    }
    let contents = try ifDocumentsExist { try InstalledProducts(access).contents(of: product) } ?? []
    let time = reader.time(of: current)
    let client = ReleaseClient(
      appVersion: choice.appVersion,
      installedVersion: try ifDocumentsExist { try InstalledProducts(access).version(of: product) } ?? nil,
      participation: try participation(of: choice, in: releases, at: time, recording: recordsCatalog),
      time: time)
    return CatalogProduct(
      product: product, choice: choice, releases: releases, sequence: current.catalog.sequence,
      provenance: Provenance(
        origin: ProductOrigin(store: location, channel: choice.channel),
        seen: trust.isEstablished
          ? trust.note(of: store, after: current, at: place, adoptsSigner: false) : nil,
        note: trust.note(of: store, after: current, at: place, adoptsSigner: true),
        signature: trust.signature(of: current)),
      isFirstContact: trust.isFirstContact,
      contents: contents, client: client)
  }

  /// Plans the transfer of the bytes of a release that are not present locally.
  ///
  /// - Throws: The errors of `plan`.
  func plan(_ selected: SelectedRelease, resuming: Resumption) throws -> Plan {
    let (catalogProduct, release) = (selected.catalogProduct, selected.release)
    let (product, contents) = (catalogProduct.product, catalogProduct.contents)
    let kept = try ifDocumentsExist { try InstalledProducts(access).index(of: product) }
    let content = try ReleaseContent(of: release, by: reader, reusing: kept.map { KeptIndex($0) } ?? .none)
    var reused = ReusedFiles(of: content)
    let downloads =
      try ifDocumentsExist {
        try InstalledProducts(access).downloads(of: product, onlyReading: resuming == .counting)
      }
      ?? []
    for download in downloads { try reused.reuse(download, for: content, context) }
    let installed = contents.map { ReusableFolder.installed($0.version.items, $0.tree) }
    for folder in installed { try reused.search(folder, for: content, context) }
    let parts = downloads.compactMap(\.parts).map { ReusableFolder.received($0) }
    try reused.searchForChunks(in: installed + parts, for: content, context)
    if resuming == .moving { for download in downloads { reused.removeUnusedFiles(of: download) } }
    let transfer = ReleaseSource.plan(of: content, reusing: reused)
    let reusedBytes = SizeRules.sum(reused.byteCounts(of: content))
    let usesOneRequest = reader.store.connections.map { connections in
      reader.connection.estimate.prefersOneRequest(
        release.package.byteCount, to: transfer.bytes, requests: transfer.runs.count, connections: connections
      )
    }
    let linkBytes = ReleaseSource.linkPlan(of: content.entries).bytes
    let packageBytes = (usesOneRequest == true ? release.package.byteCount : transfer.bytes) + linkBytes
    transfers.plan(product, remainingBytes: packageBytes, reusing: reusedBytes)
    return Plan(
      productIdentifier: product, contentVersion: release.contentVersion,
      installedVersion: catalogProduct.installedVersion,
      transferBytes: packageBytes + content.indexBytes.received,
      updateBytes: transfer.bytes + linkBytes + content.indexBytes.missing, reusedBytes: reusedBytes,
      store: location, signature: catalogProduct.provenance.signature, withdrawn: catalogProduct.withdrawn,
      share: release.share(at: catalogProduct.client.time),
      isCritical: ClientReleases.isCritical(
        release.contentVersion, of: catalogProduct.releases, in: catalogProduct.choice.channel,
        for: catalogProduct.client),
      metadata: release.metadata.values, notes: release.notes,
      pending: catalogProduct.choice.contentVersion == nil ? catalogProduct.offered.pending : nil,
      isFirstContact: catalogProduct.isFirstContact, choice: catalogProduct.choice,
      usesOneRequest: usesOneRequest ?? false,
      missingBytes: transfer.bytes, sequence: catalogProduct.sequence,
      details: Details(content: content, reused: reused, provenance: catalogProduct.provenance),
      meter: reader.meter)
  }
}

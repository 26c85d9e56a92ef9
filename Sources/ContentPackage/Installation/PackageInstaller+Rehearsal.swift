import SafeFiles
public import ZipArchive

/// What an installation changes, by paths in the product's folder.
public struct InstallationChanges: Sendable {
  /// What is not there yet.
  public let added: [EntryPath]
  /// What will be there no more.
  public let removed: [EntryPath]
  /// What will have another content, kind or target.
  public let changed: [EntryPath]

  /// - Parameters: both are sorted by place.
  init(from old: [InstalledItem], to new: [InstalledItem]) {
    added = new.map(\.place).filter { old.index(of: $0) == nil }
    changed = new.filter { item in old.item(at: item.place).map { $0 != item } ?? false }.map(\.place)
    removed = old.map(\.place).filter { new.index(of: $0) == nil }
  }
}

extension PackageInstaller {
  /// Says what `install` would do, and changes nothing.
  ///
  /// - Parameter path: the package.
  /// - Returns: what would become of it, with the changes.
  /// - Throws: as `install`.
  public func rehearse(_ path: String) throws -> Result {
    var review = try openReview(path)
    guard accepts(review.findings), let info = review.contentInfo else { return try rejected(path, &review) }
    let (present, outcome) = try decide(info)
    if let outcome { return result(outcome, path, review, previousVersion: present?.version) }
    let form = form(over: present?.record?.installed)
    let plan = InstallationPlan(contentFolder: form.layout.contentFolder(info.contentVersion))
    let content = Self.content(of: review)
    try refuseMark(form.isExcludedFromBackup, plan, content)
    review.add(
      try pass(spoolFolder: FileSystem.temporaryFolder).run(on: review, .checking, path) {
        DigestReceiver(plan)
      })
    guard accepts(review.findings) else {
      return result(.rejected, path, review, previousVersion: present?.version)
    }
    for folder in plan.folders(for: content) { plan.add(.folder(folder)) }
    for (place, target) in plan.links(for: content) { plan.add(.link(place, target: target)) }
    if form.isExcludedFromBackup, BackupMark.isFile { plan.add(BackupMark.item) }
    let changes = InstallationChanges(
      from: present?.record?.installed?.items ?? [], to: plan.takeItems().sorted { $0.place < $1.place })
    return result(
      .installed, path, review, previousVersion: present?.version, changes: changes,
      replacing: present?.modified ?? [])
  }

  /// What is there, nil if there is no folder to be anything in, and what that makes of the wish to install.
  private func decide(_ info: ContentInfo) throws -> (present: Present?, outcome: Outcome?) {
    let product = info.productIdentifier
    guard try FileSystem.status(of: access.path, followingLinks: true) != nil else { return (nil, nil) }
    guard let folder = try DocumentsFolder.openExisting(access, recovering: false) else {
      let path = FileSystem.joined(access.path, product.text)
      guard let status = try FileSystem.status(of: path, followingLinks: false) else { return (nil, nil) }
      let isEmpty = status.kind == .folder ? try DirectoryHandle.open(path).list().isEmpty : false
      let present = Present(
        record: nil, kind: status.kind, isEmpty: isEmpty, inspection: nil, path: path)
      return (present, try decide(info, present))
    }
    do {
      let present = try present(product, in: folder)
      let outcome = try decide(info, present, in: folder)
      folder.close()
      return (present, outcome)
    } catch {
      folder.close()
      throw error
    }
  }
}

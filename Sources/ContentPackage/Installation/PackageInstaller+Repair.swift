import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// Makes anew what is missing or no longer as it was installed, and nothing else, from the same package.
  ///
  /// Each file is replaced in one step; files that were not installed stay where they are.
  ///
  /// - Parameter path: the package.
  /// - Returns: what became of it.
  /// - Throws: as `install`, and `InstallationRefusal` if the package is not the one that is installed.
  public func repair(_ path: String) throws -> Result {
    var review = try openReview(path)
    guard accepts(review.findings), let info = review.contentInfo else { return try rejected(path, &review) }
    let product = info.productIdentifier
    guard let folder = try DocumentsFolder.openExisting(access) else {
      throw InstallationRefusal.notInstalled(product, path: access.path)
    }
    do {
      let present = try present(product, in: folder)
      guard let record = present.record, let installed = record.installed else {
        throw InstallationRefusal.notInstalled(product, path: access.path)
      }
      let outcome = try repair(installed, product, &review, present, in: folder)
      folder.close()
      return result(outcome, path, review, previousVersion: present.version)
    } catch {
      folder.close()
      throw error
    }
  }

  private func repair(
    _ installed: Installation, _ product: ProductIdentifier, _ review: inout ContentReview,
    _ present: Present,
    in folder: borrowing DocumentsFolder
  ) throws -> Outcome {
    if let kind = present.kind, kind != .folder {
      throw InstallationRefusal.unsuitable(path: present.path, found: "a \(kind.name)")
    }
    let isThere = present.kind == .folder
    let inspector = TreeInspector(
      verifies: true, jobs: jobs, cancellation: access.cancellation, progress: access.progress)
    let inspection = try folder.inspect(product, against: installed, with: inspector)
    if isThere, inspection.isComplete { return .upToDate }
    let wanted = Set(inspection.missing + inspection.modified)
    if isThere { try refuseOtherKinds(installed, product, inspection, in: folder) }
    let version = ContentVersion(installed.contentVersion)
    let plan = InstallationPlan(
      contentFolder: version.flatMap { installed.layout.contentFolder($0) },
      wanted: isThere ? wanted : nil)
    guard try unpack(&review, plan, marked: installed.isExcludedFromBackup, in: folder) else {
      return .rejected
    }
    do {
      // From the same content only: what is not repaired stays as it is.
      let isConcerned = { (item: InstalledItem) in !isThere || wanted.contains(item.place) }
      let items = installed.items.filter(isConcerned)
      guard review.contentVersion?.text == installed.contentVersion,
        plan.takeItems().filter(isConcerned).sorted(by: { $0.place < $1.place }) == items
      else {
        throw InstallationRefusal.otherPackage(installedVersion: installed.contentVersion)
      }
      if isThere {
        try apply(items, to: product, in: folder)
        try folder.discardStaging()
      } else if let record = present.record {
        try folder.replace(product, from: .staging, with: record)
      }
    } catch {
      try? folder.discardStaging()  // the first error is the one to tell
      throw error
    }
    return .repaired(wanted.sorted())
  }

  /// Where something of another kind has a name, it may be somebody's own.
  private func refuseOtherKinds(
    _ installed: Installation, _ product: ProductIdentifier, _ inspection: ProductInspection,
    in folder: borrowing DocumentsFolder
  ) throws {
    let live = try folder.root.openFolder(product.text.utf8)
    for place in inspection.modified {
      let status = try live.status(at: place)
      guard let status, (status.kind == .folder) != (installed.items.item(at: place)?.kind == .folder) else {
        continue
      }
      throw InstallationRefusal.unsuitable(
        path: "\(folder.path(of: product))/\(place.escaped)", found: "a \(status.kind.name)")
    }
  }

  /// Moves what was staged into its places, outer folders first.
  private func apply(
    _ items: [InstalledItem], to product: ProductIdentifier, in folder: borrowing DocumentsFolder
  ) throws {
    let live = try folder.root.openFolder(product.text.utf8)
    let staged = try folder.own.openFolder(DocumentsFolder.Name.staging)
    for item in items {
      try live.withParent(of: item.place) { (target) throws(FileFailure) in
        guard item.kind == .folder else {
          return try staged.withParent(of: item.place) { (source) throws(FileFailure) in
            try source.rename(item.place.name, to: item.place.name, in: target, mode: .replace)
          }
        }
        if try target.status(of: item.place.name) == nil {
          try target.makeFolder(item.place.name, permissions: InstalledItem.folderPermissions)
        } else {
          try target.openFolder(item.place.name).setPermissions(InstalledItem.folderPermissions)
        }
      }
    }
    try folder.synchronizeStaging()
  }
}

extension DirectoryHandle {
  /// Runs `body` with the folder that something at `path` lies in.
  fileprivate func withParent<Value>(
    of path: EntryPath, _ body: (borrowing DirectoryHandle) throws(FileFailure) -> Value
  ) throws(FileFailure) -> Value {
    guard let parent = path.parent else { return try body(self) }
    return try body(openFolder(at: parent))
  }

  fileprivate func status(at path: EntryPath) throws(FileFailure) -> FileStatus? {
    try withParent(of: path) { (folder) throws(FileFailure) in try folder.status(of: path.name) }
  }
}

package import ContentPackage
import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// Restores only missing and modified items, from the same package.
  ///
  /// Each file is replaced atomically; files that iapkg did not install stay in place.
  ///
  /// - Parameter path: The package.
  /// - Returns: The result of the repair.
  /// - Throws: The errors of `install`, and `InstallationError` if the package is not the installed one.
  public func repair(_ path: String) throws -> Result { try repair(openReview(path), named: path) }

  /// Repairs from reviewed content of any source.
  package func repair(_ review: consuming ContentReview, named name: String) throws -> Result {
    var review = review
    guard accepts(review.findings), let product = review.contentInfo?.productIdentifier else {
      return try invalid(&review, name)
    }
    do {
      return try DocumentsFolder.withLock(access, for: .changing, with: consume review) { folder, review in
        try repair(product, from: review, named: name, in: folder)
      }
    } catch is DocumentsFolder.NothingInstalled {
      throw InstallationError.notInstalled(product, path: access.path)
    }
  }

  private func repair(
    _ product: ProductIdentifier, from review: consuming ContentReview, named name: String,
    in folder: borrowing DocumentsFolder
  ) throws -> Result {
    var review = review
    let state = try folder.state(of: product, inspecting: false)  // a repair reads the contents too
    guard let repair = ProductRepair(state, installer: self) else {
      throw InstallationError.notInstalled(product, path: access.path)
    }
    let damage = try repair.damage(known: KnownPaths(of: review), in: folder)
    let outcome = try repair.run(damage, &review, named: name, in: folder)
    let checked = Checked(review, named: name)
    // The review takes much memory; free it before the paths of the damage are built.
    _ = consume review
    return result(Installed(outcome: try outcome ?? .repaired(repair.paths(of: damage))), checked, state)
  }
}

/// Restores the version in use of a product from the package that it was installed from.
struct ProductRepair {
  private let installer: PackageInstaller
  private let state: ProductState
  private let record: InstallationRecord
  private let installed: InstalledVersion

  /// Creates the repair of a product; nil if the product is not installed.
  init?(_ state: ProductState, installer: PackageInstaller) {
    guard let record = state.record, let installed = record.installed else { return nil }
    self.installer = installer
    self.state = state
    self.record = record
    self.installed = installed
  }

  private var product: ProductIdentifier { record.productIdentifier }
  /// The folder of the content in the product's folder; nil for the product's folder itself.
  private var versionFolder: EntryPath? { record.layout == .versioned ? installed.folderName : nil }

  /// The damage to the version in use.
  enum Damage {
    /// The product's folder is missing.
    case all
    /// The version's folder is missing. The items beside it at these paths are missing or modified.
    case version(besides: [EntryPath])
    /// The items at these paths are missing or modified.
    case items(missing: [EntryPath], modified: [EntryPath])
  }

  /// Determines the damage; `known` are paths to share memory with.
  func damage(known: KnownPaths, in folder: borrowing DocumentsFolder) throws -> Damage {
    guard let kind = state.kind else { return .all }
    guard kind == .folder else {
      throw InstallationError.unsuitable(path: state.path, found: "a \(kind.name)")
    }
    if let versionFolder {
      let top = try folder.root.openFolder(product.text.utf8)
      if try top.status(of: versionFolder.bytes)?.kind != .folder {
        let damage = try folder.inspectTop(of: record, installed, in: top)
        return .version(besides: damage.missing + damage.modified)
      }
    }
    var inspector = folder.inspector(verifies: true)
    inspector.known = known
    let inspection = try folder.inspect(record, with: inspector)
    return .items(missing: inspection.missing, modified: inspection.modified)
  }

  /// Returns the sorted paths of all damaged items, relative to the product's folder.
  func paths(of damage: Damage) throws -> [EntryPath] {
    switch damage {
    case .all:
      let completeRecord = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup,
        installed: installed)
      return try completeRecord.folderItems().paths()
    case .version(let others):
      let folder = installed.folderName
      return try (others + [folder] + installed.items.paths(beneath: folder)).sorted()
    case .items(let missing, let modified): return (missing + modified).sorted()
    }
  }

  /// Restores the damaged items.
  ///
  /// - Returns: Nil if they were restored; otherwise the outcome.
  func run(
    _ damage: Damage, _ review: inout ContentReview, named name: String, in folder: borrowing DocumentsFolder
  ) throws -> PackageInstaller.Outcome? {
    switch damage {
    case .all: return try restore(&review, name, .product, in: folder)
    case .version: return try restore(&review, name, .version, in: folder)
    case .items([], []): return try compare(&review, name)
    case .items(_, let modified):
      let damaged = try paths(of: damage)
      let wanted = try wantedPaths(of: damaged, modified: modified, in: folder)
      let isAccepted = try unpack(&review, name, wanted: wanted, in: folder) { staged in
        try replace(wanted, of: staged, in: folder)
      }
      guard isAccepted else { return .invalid }
      try restoreTop(damaged, in: folder)
      return nil
    }
  }

  /// Compares the package with an undamaged version.
  private func compare(_ review: inout ContentReview, _ name: String) throws -> PackageInstaller.Outcome {
    let content = PackageContent(of: review)
    guard let read = try installer.readContent(content, of: &review, unpacking(name)) else { return .invalid }
    try refuseOther(read, review.contentVersion)
    return .upToDate
  }

  private func unpacking(_ name: String) -> PackageInstaller.Unpacking {
    .init(version: installed.contentVersion, algorithm: installed.items.algorithm, name: name)
  }

  /// Throws if a package is not the one that was installed.
  private func refuseOther(_ read: InstalledVersion, _ version: ContentVersion?) throws(InstallationError) {
    guard version?.text == installed.contentVersion.text, read.contentDigest == installed.contentDigest else {
      throw .otherPackage(installedVersion: installed.contentVersion.text)
    }
  }

  /// Reinstalls a version whose folder is missing.
  private func restore(
    _ review: inout ContentReview, _ name: String, _ target: ProductChange.Target,
    in folder: borrowing DocumentsFolder
  ) throws -> PackageInstaller.Outcome? {
    let isAccepted = try unpack(&review, name, target, in: folder) { staged in
      let restored = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup, installed: staged,
        previous: state.previous)
      try folder.apply(restored, replacing: target, from: .package)
    }
    return isAccepted ? nil : .invalid
  }

  /// Unpacks the package and, if it is accepted and is the installed one, calls `body` with the staged version. `body`
  /// moves staging to `target`. If `target` is nil, `body` takes the `wanted` items from staging, or all if `wanted` is
  /// nil.
  ///
  /// - Returns: Whether the package was accepted.
  private func unpack(
    _ review: inout ContentReview, _ name: String, _ target: ProductChange.Target? = nil,
    wanted: SortedPaths? = nil, in folder: borrowing DocumentsFolder,
    _ body: (InstalledVersion) throws -> Void
  ) throws -> Bool {
    var unpacking = unpacking(name)
    unpacking.wanted = wanted
    if target == .product {
      (unpacking.contentFolder, unpacking.isMarked) = (versionFolder, record.isExcludedFromBackup)
    }
    let staged = try installer.unpack(&review, unpacking, in: folder)
    guard let staged else { return false }
    do {
      try refuseOther(staged, review.contentVersion)
      try body(staged)
      try folder.discardStaging()
      return true
    } catch {
      try? folder.discardStaging()  // the first error is the one to report
      throw error
    }
  }

  /// Moves the staged items into place, parent folders first.
  private func replace(
    _ wanted: SortedPaths, of version: InstalledVersion, in folder: borrowing DocumentsFolder
  ) throws {
    let live = try openLive(in: folder)
    let staged = try folder.workFolder.openFolder(DocumentsFolder.Name.staging)
    try version.items.forEach { item in
      guard wanted.contains(item.path) else { return }
      try live.withParent(of: item.path) { (target) throws(FileError) in
        guard item.kind == .folder else {
          return try staged.withParent(of: item.path) { (source) throws(FileError) in
            try source.rename(item.path.name, to: item.path.name, in: target, mode: .replace)
          }
        }
        if try target.status(of: item.path.name) == nil {
          try target.makeFolder(item.path.name, permissions: InstalledItem.folderPermissions)
        } else {
          try target.openFolder(item.path.name).setPermissions(InstalledItem.folderPermissions)
        }
      }
    }
    try folder.synchronizeStaging()
  }

  /// Restores the link to the version and the backup mark.
  private func restoreTop(_ damaged: [EntryPath], in folder: borrowing DocumentsFolder) throws {
    if versionFolder != nil, damaged.contains(InstallationLayout.current) {
      try folder.switchLink(of: product, to: installed.folderName.bytes)
    }
    if record.isExcludedFromBackup, damaged.contains(BackupMark.path),
      try versionFolder != nil || !installed.items.contains(BackupMark.path)
    {
      let live = try folder.root.openFolder(product.text.utf8)
      if try live.status(of: BackupMark.path.bytes) != nil { try live.remove(BackupMark.path.bytes) }
      try BackupMark.mark(live)
    }
    try folder.synchronize(folder.root.openFolder(product.text.utf8))
  }

  /// Returns the paths of damaged content to take from the package. Throws if an item of another kind is in the way.
  private func wantedPaths(
    of damaged: [EntryPath], modified: [EntryPath], in folder: borrowing DocumentsFolder
  ) throws -> SortedPaths {
    try refuseOtherKinds(modified, in: folder)
    guard versionFolder == nil else { return SortedPaths(paths: damaged.compactMap(contentPath)) }
    // In the flat layout the backup mark is beside the content, unless the content includes it.
    let isMark = try damaged.contains(BackupMark.path) && !installed.items.contains(BackupMark.path)
    return SortedPaths(paths: isMark ? damaged.filter { $0 != BackupMark.path } : damaged)
  }

  /// Throws if a modified item is of another kind, because it may be the user's own.
  private func refuseOtherKinds(_ modified: [EntryPath], in folder: borrowing DocumentsFolder) throws {
    let paths = SortedPaths(paths: modified.compactMap(contentPath))
    var folders: Set<EntryPath> = []
    if !paths.paths.isEmpty {
      try installed.items.forEach {
        if $0.kind == .folder, paths.contains($0.path) { folders.insert($0.path) }
      }
    }
    let live = try folder.root.openFolder(product.text.utf8)
    for path in modified {
      let isFolder = contentPath(path).map(folders.contains) ?? false
      let status = try live.withParent(of: path) { (parent) throws(FileError) in
        try parent.status(of: path.name)
      }
      guard let status, (status.kind == .folder) != isFolder else { continue }
      throw InstallationError.otherKind(
        path: "\(state.path)/\(path.escaped)", found: "a \(status.kind.name)",
        expected: isFolder ? "the folder" : "the file")
    }
  }

  private func openLive(in folder: borrowing DocumentsFolder) throws(FileError) -> DirectoryHandle {
    let live = try folder.root.openFolder(product.text.utf8)
    guard let versionFolder else { return live }
    return try live.openFolder(versionFolder.bytes)
  }

  /// Converts a path in the product's folder to one in the version's folder; nil for items outside it.
  private func contentPath(_ path: EntryPath) -> EntryPath? {
    guard let versionFolder else { return path }
    return path.first == versionFolder ? path.withoutFirst : nil
  }
}

package import ContentPackage
import SafeFiles
public import ZipArchive

/// The changes of an installation, with paths relative to the product's folder.
public struct InstallationChanges: Sendable {
  /// The new items.
  public let added: [EntryPath]
  /// The items to be removed.
  public let removed: [EntryPath]
  /// The items with new content, or with another kind or target.
  public let changed: [EntryPath]

  /// Compares two lists of items.
  ///
  /// - Throws: `SourceError` if items cannot be read.
  init(from old: InstalledItems, to new: InstalledItems) throws {
    var (added, removed, changed) = (PathList(), PathList(), PathList())
    var reader = InstalledItems.Reader(old)
    var index = 0
    try new.forEach { item in
      while index < old.count {
        let other = try reader.item(at: index)
        guard other.path < item.path else { break }
        removed.append(other.path)
        index += 1
      }
      let other = try index < old.count ? reader.item(at: index) : nil
      guard let other, other.path == item.path else { return added.append(item.path) }
      if other != item { changed.append(item.path) }
      index += 1
    }
    while index < old.count {
      removed.append(try reader.item(at: index).path)
      index += 1
    }
    (self.added, self.removed, self.changed) = (added.paths, removed.paths, changed.paths)
  }
}

extension PackageInstaller {
  /// Determines the result of `install` without changing anything.
  ///
  /// - Parameter path: The package.
  /// - Returns: The result that `install` would have, with the changes.
  /// - Throws: The errors of `install`.
  public func dryRun(_ path: String) throws -> Result { try dryRun(openReview(path), named: path) }

  /// Plans the installation of reviewed content from any source, and changes nothing.
  package func dryRun(_ review: consuming ContentReview, named name: String) throws -> Result {
    var review = review
    guard accepts(review.findings), let info = review.contentInfo else { return try invalid(&review, name) }
    let product = info.productIdentifier
    let (state, kept, unmanagedFiles) = try stateWithoutChanges(of: product, known: KnownPaths(of: review))
    return try decide(info, consume review, named: name, over: state) {
      $0
    } comparing: { review, installed in
      try compare(review, name, with: installed, state)
    } installing: { review, plan in
      try DocumentsFolder.checkChanging(access)
      var (installed, checked) = try dryRun(review, name, by: plan, over: state)
      installed.kept = installed.outcome == .installed ? kept + unmanagedFiles : kept
      return result(installed, checked, state)
    }
  }

  /// Determines the result of `install` if it would refuse reviewed content before reading it.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - name: The name of the content in messages.
  ///   - comparesContent: Whether the content of the installed version is compared too. The result may then be
  ///     `upToDate`.
  /// - Returns: The result; nil if the installation would begin.
  /// - Throws: The errors of `install`.
  package func refusal(
    of review: ContentReview, named name: String, comparingContent comparesContent: Bool = false
  ) throws -> Result? {
    guard accepts(review.findings), let info = review.contentInfo else {
      return result(Installed(), Checked(review, named: name), nil)
    }
    let (state, _, _) = try stateWithoutChanges(of: info.productIdentifier, known: KnownPaths(of: review))
    return try decide(info, review, named: name, over: state) {
      $0
    } comparing: { review, installed in
      try comparesContent ? comparePresent(review, name, with: installed, state) : nil
    } installing: { _, _ in
      nil
    }
  }

  /// Performs `compare`, unless files of the installed version are missing or modified: the comparison would download
  /// them.
  private func comparePresent(
    _ review: consuming ContentReview, _ name: String, with installed: InstalledVersion, _ state: ProductState
  ) throws -> Result {
    guard let inspection = state.inspection, !inspection.isComplete else {
      return try compare(review, name, with: installed, state)
    }
    return result(Installed(outcome: .damaged(inspection)), Checked(review, named: name), state)
  }

  private func dryRun(
    _ review: consuming ContentReview, _ name: String, by plan: InstallationPlan, over state: ProductState
  ) throws -> (Installed, Checked) {
    var review = review
    guard let product = review.productIdentifier else { return (Installed(), Checked(review, named: name)) }
    let read = try readContent(
      PackageContent(of: review), of: &review,
      Unpacking(version: plan.contentVersion, algorithm: state.algorithm, name: name))
    let checked = Checked(review, named: name)
    _ = consume review
    guard let read else { return (Installed(), checked) }
    if let counterpart = plan.counterpart, counterpart.contentDigest != read.contentDigest {
      return (Installed(outcome: .otherContent(version: counterpart.contentVersion.text)), checked)
    }
    var plan = plan
    if !plan.dropped.isEmpty {
      let chosen = try DocumentsFolder.withLock(access, for: .dryRun) { folder in
        try plan.keepingIntact(over: state, in: folder)
      }
      plan = chosen ?? plan
    }
    let after = plan.record(of: product, installing: read)
    let changes = try InstallationChanges(
      from: state.record?.folderItems() ?? InstalledItems([], state.algorithm), to: after.folderItems())
    return (
      Installed(
        outcome: .installed, changes: changes, keepsPrevious: plan.keepsPrevious(of: state),
        damaged: plan.damaged), checked
    )
  }

  /// Returns the state of a product, its kept files, and the files that an installation would keep too.
  private func stateWithoutChanges(
    of product: ProductIdentifier, known: KnownPaths
  ) throws -> (ProductState, kept: LocatedPaths, unmanagedFiles: LocatedPaths) {
    guard try FileSystem.statusForCreation(at: access.path) != nil else {
      try DocumentsFolder.checkMissingRoot(access)
      return (
        try ProductState(of: product, withoutRecordsIn: access.path), LocatedPaths(), LocatedPaths()
      )
    }
    let found = try DocumentsFolder.withLock(access, for: .dryRun) { folder in
      let state = try folder.state(of: product, known: known)
      return (
        state, try folder.keptFiles(of: product, state.record), try state.keptUnmanagedFiles(in: folder.root)
      )
    }
    if let found { return found }
    let state = try ProductState(of: product, withoutRecordsIn: access.path)
    let unmanagedFiles = try state.keptUnmanagedFiles(in: DirectoryHandle.open(access.path))
    return (state, LocatedPaths(), unmanagedFiles)
  }
}

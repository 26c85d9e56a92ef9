import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// Checks the content and writes it into staging, in one pass; if anything is wrong with it, staging goes.
  ///
  /// The folder gets a mark for backups if it is to be `marked`.
  ///
  /// - Returns: whether it is accepted; what was staged is then on stable storage.
  /// - Throws: `FileFailure`, `InstallationRefusal`, `SourceChanged`, `Interruption`.
  func unpack(
    _ review: inout ContentReview, _ plan: InstallationPlan, marked: Bool,
    in folder: borrowing DocumentsFolder
  ) throws -> Bool {
    let content = Self.content(of: review)
    try refuseMark(marked, plan, content)
    let staging = StagingTree(try folder.makeStaging(), plan: plan)
    plan.expect(review.items.count)
    do {
      try staging.makeFolders(for: content)
      review.add(try read(review, spoolFolder: folder.spoolFolder) { StagingReceiver(staging) })
      guard accepts(review.findings) else {
        try folder.discardStaging()
        return false
      }
      try staging.makeLinks(for: content)
      if marked { try staging.excludeFromBackup() }
      try folder.synchronizeStaging()
      return true
    } catch {
      try? folder.discardStaging()  // the first error is the one to tell
      throw error
    }
  }

  /// What is installed of a package.
  static func content(of review: ContentReview) -> some Sequence<ContentItem> {
    review.items.lazy.filter { $0.isContent && $0.path != PackageLayout.contents }
  }

  /// The content may have a file of the mark's name itself.
  func refuseMark(_ marked: Bool, _ plan: InstallationPlan, _ content: some Sequence<ContentItem>) throws {
    guard marked, content.contains(where: { plan.place(of: $0) == BackupMark.place }) else { return }
    throw InstallationRefusal.backupMarkTaken
  }

  /// Checks the content, and hands it on.
  ///
  /// - Returns: what was found.
  func read(
    _ review: ContentReview, spoolFolder: String, makeReceiver: @escaping @Sendable () -> any ContentReceiver
  ) throws -> [Finding] {
    let source = review.source as? PackageSource
    let findings = try pass(spoolFolder: spoolFolder)
      .run(on: review, .installing, source?.file.path ?? access.path, makeReceiver: makeReceiver)
    if let source, try source.file.hasChanged() { throw SourceChanged(path: source.file.path) }
    return findings
  }
}

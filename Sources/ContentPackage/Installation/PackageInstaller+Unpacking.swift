import SafeFiles
import Synchronization
import ZipArchive

extension PackageInstaller {
  /// Checks the content and writes it into staging, in one pass; if anything is wrong with it, staging goes.
  ///
  /// The folder gets a mark for backups if it is to be `marked`.
  ///
  /// - Returns: the digest of the package, or nil if it is not accepted. What was staged is on stable storage.
  /// - Throws: `FileFailure`, `InstallationRefusal`, `SourceChanged`, `Interruption`.
  func unpack(
    _ review: inout ContentReview, _ plan: InstallationPlan, marked: Bool,
    in folder: borrowing DocumentsFolder
  ) throws -> String? {
    let content = Self.content(of: review)
    try refuseMark(marked, plan, content)
    let staging = StagingTree(try folder.makeStaging(), plan: plan)
    plan.expect(review.items.count)
    do {
      try staging.makeFolders(for: content)
      let (findings, digest) = try read(review, spoolFolder: folder.spoolFolder) { StagingReceiver(staging) }
      review.add(findings)
      guard accepts(review.findings) else {
        try folder.discardStaging()
        return nil
      }
      try staging.makeLinks(for: content)
      if marked { try staging.excludeFromBackup() }
      try folder.synchronizeStaging()
      return digest
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

  /// Checks the content, hands it on, and takes the digest of the package meanwhile.
  func read(
    _ review: ContentReview, spoolFolder: String, makeReceiver: @escaping @Sendable () -> any ContentReceiver
  ) throws -> (findings: [Finding], digest: String) {
    let pass = pass(review, spoolFolder: spoolFolder)
    guard let source = review.source as? PackageSource else {
      return (try pass.run(review.readableItems, makeReceiver: makeReceiver), "")
    }
    access.progress.begin(
      .installing, source.file.path, totalBytes: SizeRules.sum([review.fileBytes, source.file.byteCount]))
    let results = Mutex<
      (findings: Swift.Result<[Finding], any Error>?, digest: Swift.Result<ContentDigest, any Error>?)
    >(
      (nil, nil))
    let isAlone = jobs == 1
    WorkerPool.run(count: isAlone ? 1 : 2) { number in
      if number == 0 {
        let findings = Swift.Result { try pass.run(review.readableItems, makeReceiver: makeReceiver) }
        results.withLock { $0.findings = findings }
      } else {
        let digest = Swift.Result { try self.digest(of: source.file) }
        results.withLock { $0.digest = digest }
      }
    }
    let (found, digest) = results.withLock { $0 }
    let findings = try found?.get() ?? []
    let whole = try digest?.get() ?? self.digest(of: source.file)
    guard try !source.file.hasChanged() else { throw SourceChanged(path: source.file.path) }
    return (findings, whole.hexadecimal)
  }

  private func digest(of file: InputFile) throws -> ContentDigest {
    try ContentDigest.of(file, cancellation: access.cancellation, progress: access.progress)
  }
}

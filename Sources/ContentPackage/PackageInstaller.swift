package import SafeFiles

/// Installs a package into `Documents/<productId>`: everything is checked while it is unpacked beside the
/// target, and only a whole, accepted tree is swapped in.
package struct PackageInstaller {
  package let limits: Limits
  package let jobs: Int
  package let cancellation: Cancellation
  /// Install although the same version is there, or something that iapkg did not install.
  package let force: Bool
  package let allowDowngrade: Bool

  /// Whether a package with these findings may be installed.
  private let accepts: @Sendable ([Finding]) -> Bool

  package init(
    limits: Limits, jobs: Int, cancellation: Cancellation, force: Bool, allowDowngrade: Bool,
    accepts: @escaping @Sendable ([Finding]) -> Bool
  ) {
    self.accepts = accepts
    self.limits = limits
    self.jobs = jobs
    self.cancellation = cancellation
    self.force = force
    self.allowDowngrade = allowDowngrade
  }

  package enum Outcome: Sendable {
    case installed
    /// The package was rejected: a finding is an error.
    case rejected
    /// This version is installed already.
    case upToDate
    /// A higher version is installed.
    case downgradeRefused
  }

  package struct Result: Sendable {
    package let outcome: Outcome
    package let report: ValidationReport
    /// The version that was installed before, if any.
    package let previousVersion: String?
    /// How many files and links the package installs.
    package let files: Int
  }

  /// Installs the package at `path` into the folder at `documents`, which is made if only it is missing.
  ///
  /// - Throws: `FileFailure`, `DocumentsBusy`, `ForeignContent`, `Interruption`; the product, and the folder, are
  ///   then as they were before.
  package func install(_ path: String, into documents: String) throws -> Result {
    var review = try ContentReview(of: PackageSource.open(path), limits: limits)
    guard accepts(review.findings), let info = review.contentInfo else {
      review.add(try pass(review, FileSystem.temporaryFolder).run(review.files))
      return result(.rejected, path, review, nil)
    }
    let folder = try DocumentsFolder.open(documents)
    do {
      let installed = try folder.record(of: info.productIdentifier)
      if let outcome = decide(info, installed) {
        folder.abandon()
        return result(outcome, path, review, installed)
      }
      if installed == nil, !force, try folder.root.status(of: info.productIdentifier.text.utf8) != nil {
        throw ForeignContent(path: "\(documents)/\(info.productIdentifier)")
      }
      review.add(try unpack(review, info, in: folder))
      guard accepts(review.findings) else {
        folder.abandon()
        return result(.rejected, path, review, installed)
      }
      try folder.publish(info)
      return result(.installed, path, review, installed)
    } catch {
      folder.abandon()
      throw error
    }
  }

  /// Says what `install` would do, and changes nothing.
  package func rehearse(_ path: String, into documents: String) throws -> Result {
    var review = try ContentReview(of: PackageSource.open(path), limits: limits)
    review.add(try pass(review, FileSystem.temporaryFolder).run(review.files))
    guard accepts(review.findings), let info = review.contentInfo else {
      return result(.rejected, path, review, nil)
    }
    let installed = try InstallationRecord.peek(info.productIdentifier, in: documents)
    return result(decide(info, installed) ?? .installed, path, review, installed)
  }

  /// What the installed version makes of the wish to install; nil to go on.
  private func decide(_ info: ContentInfo, _ installed: InstallationRecord?) -> Outcome? {
    guard let installed, let present = ContentVersion(installed.contentVersion) else { return nil }
    if info.contentVersion == present { return force ? nil : .upToDate }
    return info.contentVersion < present && !allowDowngrade ? .downgradeRefused : nil
  }

  /// Writes the content into a staging folder, which is thrown away again if anything is wrong with it.
  private func unpack(
    _ review: ContentReview, _ info: ContentInfo, in documents: borrowing DocumentsFolder
  ) throws -> [Finding] {
    let product = info.productIdentifier
    let staging = StagingTree(try documents.makeStaging(for: product))
    do {
      let content = review.items.filter { $0.isContent && $0.path != PackageLayout.contents }
      try staging.makeFolders(for: content)
      let findings = try pass(review, documents.spoolFolder).run(review.files) { StagingReceiver(staging) }
      try staging.makeLinks(for: content)
      if !accepts(findings) { try documents.discardStaging(of: product) }
      return findings
    } catch {
      try? documents.discardStaging(of: product)  // the first error is the one to tell
      throw error
    }
  }

  private func pass(_ review: ContentReview, _ spoolFolder: String) -> ContentPass {
    ContentPass(source: review.source, jobs: jobs, cancellation: cancellation, spoolFolder: spoolFolder)
  }

  private func result(
    _ outcome: Outcome, _ path: String, _ review: ContentReview, _ installed: InstallationRecord?
  ) -> Result {
    Result(
      outcome: outcome, report: ValidationReport(path: path, review: review),
      previousVersion: installed?.contentVersion,
      files: review.items.count { $0.isContent && $0.kind != .folder })
  }
}

/// What has the product's name in `Documents` was not put there by iapkg.
package struct ForeignContent: Error { package let path: String }

import PropertyList
package import SafeFiles
package import ZipArchive

/// Raises the content version of a package, a content folder or a manifest by itself.
package struct PackageEditor {
  /// What the new version shall be.
  package enum Change: Sendable {
    case raise(ContentVersion.Part)
    /// A given version; unless forced, it must be above the present one.
    case set(ContentVersion, force: Bool)
  }

  /// Where the result goes; it appears there whole or not at all.
  package struct Destination: Sendable {
    package let path: String
    /// Whether a file that is there may be replaced.
    package let replacing: Bool

    package init(path: String, replacing: Bool) {
      self.path = path
      self.replacing = replacing
    }
  }

  package struct Result: Sendable {
    package let contentInfo: ContentInfo
    package let previousVersion: ContentVersion
    /// Of a package: how many entries it has, its bytes, and the bytes of its content.
    package let package: (entries: Int, archiveBytes: Int64, contentBytes: Int64)?
  }

  /// Why the version cannot be changed.
  package enum Refusal: Error {
    case notHigher(ContentVersion, than: ContentVersion)
    /// The part is the largest number there is.
    case cannotBeRaised(ContentVersion)
    /// The package has no manifest to change.
    case noManifest
    /// The archive or the manifest is not sound; the findings say why.
    case unsound([Finding])
  }

  package let change: Change
  /// The time that a package records of its new manifest.
  package let time: DOSTime
  package let cancellation: Cancellation
  package let progress: WorkProgress

  package init(
    _ change: Change, time: DOSTime, cancellation: Cancellation, progress: WorkProgress = WorkProgress()
  ) {
    self.change = change
    self.time = time
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Changes the version in `input`, and writes the result unless `destination` is nil.
  ///
  /// - Throws: `FileFailure`, `Refusal`, `CompressionFailure`, `PackageTooLarge`, `Interruption`; nothing has
  ///   changed then.
  package func edit(_ input: Input, into destination: Destination?) throws -> Result {
    switch input {
    case .manifest(let path): try editManifest(path, into: destination)
    case .package(let path): try editPackage(path, into: destination)
    }
  }

  private func editManifest(_ path: String, into destination: Destination?) throws -> Result {
    let file = try InputFile.open(path)
    try checkSize(file.byteCount)
    let edited = try edit(file.bytes(at: 0, count: Int(file.byteCount)))
    if let destination {
      var staged = try StagedOutput.create(at: destination.path, replacing: destination.replacing)
      try staged.write(unsafe edited.bytes.span.bytes)
      try staged.commit()
    }
    return Result(contentInfo: edited.info, previousVersion: edited.previous, package: nil)
  }

  /// The manifest's entry is made anew in its place; every other entry is copied as it is, compressed data and
  /// all.
  private func editPackage(_ path: String, into destination: Destination?) throws -> Result {
    let source = try PackageSource.open(path)
    guard source.isReadable else { throw Refusal.unsound(source.findings) }
    let limits = Limits()
    let sizes = SizeRules.findings(items: source.items, archiveBytes: source.archiveBytes, limits: limits)
    if !sizes.areAcceptable { throw Refusal.unsound(sizes) }
    let (index, manifest) = try manifest(of: source)
    let edited = try edit(manifest)
    var archiveBytes = source.file.byteCount
    if let destination {
      let preparation = EntryPreparation(
        EntryPreparation.Settings(
          compression: .auto, time: time, spoolFolder: FileSystem.folder(of: destination.path),
          cancellation: cancellation, progress: WorkProgress()))
      let prepared = try preparation.prepare(PackageLayout.manifest, .memory(edited.bytes[...]))
      var assembler = ZipAssembler(
        into: try StagedOutput.create(at: destination.path, replacing: destination.replacing))
      progress.begin(.copying, path, totalBytes: archiveBytes)
      for (place, entry) in source.structure.entries.enumerated() {
        try cancellation.check()
        if place == index {
          try assembler.append(prepared.header, data: prepared.data)
        } else {
          try assembler.copy(entry, from: source.file)
        }
        progress.advance(by: entry.endOffset - entry.localHeaderOffset)
      }
      archiveBytes = try assembler.finish().publish(limits, cancellation, progress)
    }
    let contentBytes = SizeRules.contentBytes(of: source.items) - Int64(manifest.count - edited.bytes.count)
    return Result(
      contentInfo: edited.info, previousVersion: edited.previous,
      package: (source.items.count, archiveBytes, contentBytes))
  }

  /// Which entry is the manifest, and its bytes.
  private func manifest(of source: PackageSource) throws -> (index: Int, bytes: [UInt8]) {
    guard let item = source.items.first(where: { $0.path == PackageLayout.manifest }), item.kind == .file
    else {
      throw Refusal.noManifest
    }
    try checkSize(item.size)
    do {
      return (item.index, try source.bytes(of: item))
    } catch let damage as ContentDamage {
      throw Refusal.unsound([damage.finding])
    }
  }

  private func checkSize(_ bytes: Int64) throws {
    if let finding = ManifestReview.sizeFinding(bytes) { throw Refusal.unsound([finding]) }
  }

  /// The one string changes, every other byte stays.
  private func edit(
    _ manifest: [UInt8]
  ) throws -> (bytes: [UInt8], info: ContentInfo, previous: ContentVersion) {
    let review = ManifestReview(of: manifest)
    guard let info = review.contentInfo else {
      throw Refusal.unsound(review.findings.filter { $0.severity == .error })
    }
    let next = try version(after: info.contentVersion)
    do throws(PropertyListProblem) {
      let bytes = try PropertyListDocument.replacingString(
        inKey: ContentInfo.Key.contentVersion, with: next.text, of: manifest)
      let edited = ContentInfo(productIdentifier: info.productIdentifier, contentVersion: next)
      return (bytes, edited, info.contentVersion)
    } catch {
      throw Refusal.unsound([
        Finding(Rule(error.kind), at: PackageLayout.manifest, line: error.line, error.message)
      ])
    }
  }

  private func version(after present: ContentVersion) throws -> ContentVersion {
    switch change {
    case .raise(let part):
      guard let next = present.bumped(part) else { throw Refusal.cannotBeRaised(present) }
      return next
    case .set(let next, let force):
      guard force || next > present else { throw Refusal.notHigher(next, than: present) }
      return next
    }
  }
}

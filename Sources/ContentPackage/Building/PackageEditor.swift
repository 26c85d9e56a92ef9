#if COMMAND_LINE_TOOL
import PropertyList
public import SafeFiles
import Support
public import ZipArchive

/// Changes the content version of a package, a content folder or a single manifest.
public struct PackageEditor {
  /// The requested version.
  public enum Change: Sendable {
    /// The current version with one number raised.
    case raise(ContentVersion.Part)
    /// A given version, which must be above the current one unless forced.
    case set(ContentVersion, force: Bool)
  }

  /// The destination of the result, which appears there complete or not at all.
  public enum Destination: Sendable {
    /// Replaces the edited file.
    case input
    /// Writes to this target.
    case output(OutputDestination.Target)
  }

  /// The result of an edit.
  public struct Result: Sendable {
    /// The identity with the new version.
    public let contentInfo: ContentInfo
    /// The version that the input had.
    public let previousVersion: ContentVersion
    /// The number of entries of a package, and the sizes of the package and its content, in bytes; nil for a content
    /// folder or a single manifest.
    public let package: (entries: Int, archiveBytes: Int64, contentBytes: Int64)?
    /// The previous content of the input, if it was replaced and can be restored.
    package let replaced: ReplacedFile?
  }

  let change: Change
  /// The modification time of the new manifest in a package.
  let time: DOSTime
  let context: WorkContext

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - change: The new version.
  ///   - time: The modification time of the new manifest in a package.
  ///   - context: The limits, cancellation and progress.
  public init(_ change: Change, time: DOSTime, context: WorkContext = WorkContext()) {
    self.change = change
    self.time = time
    self.context = context
  }

  /// Changes the version of the package, content folder or single manifest at `path`.
  ///
  /// - Parameters:
  ///   - path: The package, content folder or manifest.
  ///   - destination: The destination of the result.
  /// - Returns: The new identity, the previous version and, for a package, the new sizes.
  /// - Throws: `FileError`, `EditingError`, `CompressionError`, `PackageTooLarge`, `SourceError` if another process has
  ///   written or replaced the input since it was opened, `InputBusy` if another process has locked it,
  ///   `Interruption`. After an error, nothing has changed.
  public func edit(_ path: String, into destination: Destination = .input) throws -> Result {
    let isReplaced = if case .input = destination { true } else { false }
    return try edit(.open(path, locking: isReplaced), into: destination)
  }

  /// Changes the version in `input`, and writes the result unless `isDryRun` is true.
  ///
  /// - Throws: The same errors as `edit(_:into:)`.
  package func edit(
    _ input: Input, into destination: Destination, dryRun isDryRun: Bool = false
  ) throws -> Result {
    let destination = ResolvedDestination(destination, for: input.file, isDryRun: isDryRun)
    do {
      if let package = input.package { return try edit(package, in: input.file, into: destination) }
      return try editManifest(input.file, into: destination)
    } catch let error as EditingError {
      // If the input changed while it was read, the defect may exist in neither version.
      if try input.file.hasChanged() { throw SourceError.changed(input.file.path) }
      throw error
    }
  }

  /// The resolved destination of the result.
  private struct ResolvedDestination {
    let place: OutputDestination
    /// Whether the result replaces the input.
    let isInput: Bool

    init(_ destination: Destination, for input: InputFile, isDryRun: Bool) {
      switch destination {
      case .input:
        place = OutputDestination(.file(input.path, replacing: true), isDryRun: isDryRun)
        isInput = true
      case .output(let target):
        place = OutputDestination(target, isDryRun: isDryRun)
        isInput = false
      }
    }
  }

  private func editManifest(_ file: InputFile, into destination: ResolvedDestination) throws -> Result {
    if let finding = ManifestReview.sizeFinding(file.byteCount) { throw EditingError.unsound([finding]) }
    let edited = try edit(ManifestReview(of: file.bytes(at: 0, count: Int(file.byteCount))))
    var output = try StagedOutput.create(at: destination.place)
    try output.write(unsafe edited.bytes.borrowedSpan.bytes)
    let replaced = try publish(output, of: file, to: destination).replaced
    return Result(
      contentInfo: edited.info, previousVersion: edited.previous, package: nil, replaced: replaced)
  }

  /// Replaces the entry of the manifest, and copies every other entry unchanged, including its compressed data.
  private func edit(
    _ source: PackageSource, in file: InputFile, into destination: ResolvedDestination
  ) throws -> Result {
    guard source.isReadable else { throw EditingError.unsound(source.findings) }
    let sizes = SizeRules.findings(
      items: source.items, archiveBytes: source.archiveBytes, limits: context.limits)
    if !sizes.areAcceptable { throw EditingError.unsound(sizes) }
    let end = try end(of: source, in: file)
    let (index, manifest) = try manifest(of: source)
    let edited = try edit(manifest)
    let output = try copy(source, in: file, to: destination, replacing: index, with: edited.bytes)
    // Different end records reveal that the package was replaced after its check.
    guard try self.end(of: source, in: file) == end else { throw SourceError.changed(file.path) }
    let (archiveBytes, replaced) = try publish(output, of: file, to: destination)
    let contentBytes =
      SizeRules.contentBytes(of: source.items) - Int64(manifest.bytes.count - edited.bytes.count)
    return Result(
      contentInfo: edited.info, previousVersion: edited.previous,
      package: (source.items.count, archiveBytes, contentBytes), replaced: replaced)
  }

  /// Writes the entries of a package with `manifest` in place of the entry at `index`.
  private func copy(
    _ source: PackageSource, in file: InputFile, to destination: ResolvedDestination, replacing index: Int,
    with manifest: [UInt8]
  ) throws -> StagedOutput {
    let preparation = EntryPreparation(
      EntryPreparation.Settings(
        compression: .auto, time: time, spoolFolder: destination.place.spoolFolder,
        context: WorkContext(cancellation: context.cancellation)))
    let progress = context.progress
    let prepared = try preparation.prepare(PackageLayout.manifest, MemoryBytes(manifest))
    var writer = ZipWriter(
      into: try StagedOutput.create(at: destination.place), spoolFolder: destination.place.spoolFolder,
      cancellation: context.cancellation)
    progress.begin(.copying, file.path, totalBytes: file.byteCount)
    for (entryIndex, entry) in source.structure.entries.enumerated() {
      try context.cancellation.check()
      if entryIndex == index {
        try writer.append(prepared.header, data: prepared.data, progress.advance(by:))
      } else {
        try writer.copy(entry, from: file, progress.advance(by:))
      }
    }
    return try writer.finish(progress.advance(by:))
  }

  /// Publishes the output under its name. Replaces `input` only if that file has not changed since it was opened.
  ///
  /// - Returns: The size in bytes, and the previous content of a replaced input.
  private func publish(
    _ output: consuming StagedOutput, of input: InputFile, to destination: ResolvedDestination
  ) throws -> (bytes: Int64, replaced: ReplacedFile?) {
    guard try !input.hasChanged() else { throw SourceError.changed(input.path) }
    var isInPlace = destination.isInput
    if !isInPlace, case .file(let path, _) = destination.place.target {
      isInPlace = try FileSystem.status(of: path, followingLinks: true)?.identity == input.identity
    }
    if isInPlace, !destination.place.isDryRun, try !input.lock() { throw InputBusy(path: input.path) }
    return try output.publish(in: context, inPlaceOf: isInPlace ? input : nil)
  }

  /// Reads the end records of a package: all bytes after the last central directory header.
  private func end(of source: PackageSource, in file: InputFile) throws -> [UInt8] {
    let start = source.structure.entries.map(\.centralDirectoryHeader.upperBound).max() ?? 0
    return try file.bytes(at: start, count: Int(clamping: file.byteCount - start))
  }

  /// Returns the index of the manifest's entry, and its review.
  private func manifest(of source: PackageSource) throws -> (index: Int, review: ManifestReview) {
    guard let item = source.manifestItem else { throw EditingError.noManifest }
    switch try source.readManifest() {
    case .read(let review): return (item.index, review)
    case .absent: throw EditingError.noManifest
    case .tooLarge(let finding), .damaged(let finding): throw EditingError.unsound([finding])
    }
  }

  /// Returns a manifest with the new version and every other byte unchanged.
  private func edit(
    _ manifest: ManifestReview
  ) throws -> (bytes: [UInt8], info: ContentInfo, previous: ContentVersion) {
    guard let info = manifest.contentInfo else {
      throw EditingError.unsound(manifest.findings.filter { $0.severity == .error })
    }
    let next = try version(after: info.contentVersion)
    let edited = ContentInfo(productIdentifier: info.productIdentifier, contentVersion: next)
    return (try manifest.bytes(withVersion: next), edited, info.contentVersion)
  }

  private func version(after present: ContentVersion) throws -> ContentVersion {
    switch change {
    case .raise(let part):
      guard let next = present.bumped(part) else { throw EditingError.cannotBeRaised(present) }
      return next
    case .set(let next, let force):
      guard force || next > present else { throw EditingError.notHigher(next, than: present) }
      return next
    }
  }
}

extension ManifestReview {
  /// Returns the manifest with another version and every other byte unchanged.
  func bytes(withVersion version: ContentVersion) throws(PackageEditor.EditingError) -> [UInt8] {
    do throws(PropertyListError) {
      return try PropertyListDocument.replacingString(
        inKey: ContentInfo.Key.contentVersion, with: version.text, of: bytes)
    } catch {
      throw .unsound([
        Finding(Rule(error.kind), at: PackageLayout.manifest, line: error.line, error.message)
      ])
    }
  }
}
#endif

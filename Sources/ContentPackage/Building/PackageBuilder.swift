#if COMMAND_LINE_TOOL
package import SafeFiles
import Support
public import ZipArchive

/// Builds a package from a content folder. `review` checks the folder, and `write` packs it.
///
/// ```swift
/// let builder = PackageBuilder()
/// let review = try builder.review(.open("Book"))
/// if review.findings.areAcceptable { try builder.write(review, to: "Book.pkg") }
/// ```
public struct PackageBuilder: Sendable {
  /// The compression of the files for which `choices` has none.
  package let compression: Compression
  /// The modification time of every entry.
  package let time: DOSTime
  /// The limits, threads, cancellation and progress.
  package let context: WorkContext
  /// The user's settings for the folder.
  package private(set) var choices = FolderChoices()

  /// Creates a builder for any number of packages.
  ///
  /// - Parameters:
  ///   - compression: The compression of files.
  ///   - time: The modification time of every entry.
  ///   - context: The limits and threads. The progress counts the checked bytes, then the packed bytes.
  public init(
    compression: Compression = .auto, time: DOSTime = .first, context: WorkContext = WorkContext()
  ) {
    self.compression = compression
    self.time = time
    self.context = context
  }

  /// Returns the same builder with a user's settings for a folder.
  package func with(_ choices: FolderChoices) -> PackageBuilder {
    var builder = self
    builder.choices = choices
    return builder
  }

  /// Applies every rule to a source.
  ///
  /// - Parameter source: The content folder.
  /// - Returns: The findings, and the content to pack.
  /// - Throws: `FileError` or `SourceError` if the source cannot be read, `Interruption`.
  public func review(_ source: FolderSource) throws -> ContentReview { try review(of: source) }

  /// Applies every rule to a source of any kind; see `review(_:)`.
  package func review(of source: any ContentSource) throws -> ContentReview {
    var review = try ContentReview(
      of: source, for: .pack, limits: context.limits, cancellation: context.cancellation)
    let pass = ContentScan(context, spoolFolder: FileSystem.temporaryFolder)
    review.add(try pass.run(on: review, .checking, source.path))
    return review
  }

  /// Writes reviewed content as a package at `path`, which appears complete or not at all. The same content gives the
  /// same bytes.
  ///
  /// - Parameters:
  ///   - review: The result of `review`, which must not have errors.
  ///   - path: The path of the package.
  ///   - replacing: Whether an existing file may be replaced.
  /// - Returns: The size of the package in bytes.
  /// - Throws: `InvalidContent` if a finding is an error, `FileError`, `SourceError`, `CompressionError`,
  ///   `Interruption`, or `PackageTooLarge` if the archive itself exceeds the limit.
  @discardableResult
  public func write(_ review: ContentReview, to path: String, replacing: Bool = false) throws -> Int64 {
    try write(review, to: OutputDestination(.file(path, replacing: replacing)))
  }

  /// Checks whether `write` would succeed, and writes nothing.
  ///
  /// - Throws: The same errors as `write`.
  private func dryRun(_ review: ContentReview, to place: OutputDestination) throws {
    try Self.checkFindings(of: review)
    // Content whose package cannot exceed the limit need not be compressed.
    guard Self.maximumBytes(of: review) > context.limits.bytes else {
      return try StagedOutput.create(at: place.dryRun).commit()
    }
    _ = try write(review, to: place.dryRun)
  }

  /// Writes reviewed and accepted content to `place`.
  ///
  /// - Returns: The size of the package in bytes.
  /// - Throws: The same errors as `write(_:to:replacing:)`.
  package func write(_ review: ContentReview, to place: OutputDestination) throws -> Int64 {
    try writeEntries(review, spoolFolder: place.spoolFolder, at: place.path) { () throws(FileError) in
      try StagedOutput.create(at: place)
    }.publish(in: context).bytes
  }

  /// Writes reviewed and accepted content to `place`, or in a dry run only checks whether that would succeed.
  ///
  /// - Returns: The size of the package in bytes; nil in a dry run.
  /// - Throws: The same errors as `write(_:to:replacing:)`.
  package func write(_ review: ContentReview, to place: OutputDestination, dryRun isDryRun: Bool) throws
    -> Int64?
  {
    guard isDryRun else { return try write(review, to: place) }
    try dryRun(review, to: place)
    return nil
  }

  /// Writes reviewed and accepted content to an unnamed file, which is deleted when it is closed.
  ///
  /// - Parameters:
  ///   - review: The result of `review`.
  ///   - name: The name of the file in messages.
  /// - Returns: The package.
  /// - Throws: The same errors as `write(_:to:replacing:)`.
  package func spool(_ review: ContentReview, as name: String) throws -> InputFile {
    let folder = FileSystem.temporaryFolder
    let output = try writeEntries(review, spoolFolder: folder, at: name) { () throws(FileError) in
      try StagedOutput.createUnnamed(in: folder)
    }
    try output.checkSize(context.limits)
    return try output.finishUnnamed(as: name)
  }

  private static func checkFindings(of review: ContentReview) throws(InvalidContent) {
    guard review.isAcceptable else { throw InvalidContent(findings: review.findings) }
  }

  /// Writes the entries of a package to the output that `makeOutput` creates after all checks have passed.
  private func writeEntries(
    _ review: ContentReview, spoolFolder: String, at path: String,
    _ makeOutput: () throws(FileError) -> StagedOutput
  ) throws -> StagedOutput {
    try Self.checkFindings(of: review)
    let order = Self.entryOrder(review.items)
    let settings = EntryPreparation.Settings(
      compression: compression, compressionOverride: choices.compression, time: time,
      spoolFolder: spoolFolder, context: context)
    context.progress.begin(
      .packing, path, totalBytes: SizeRules.sum(order.lazy.filter { $0.kind == .file }.map(\.size)))
    var writer = ZipWriter(
      into: try makeOutput(), spoolFolder: spoolFolder, cancellation: context.cancellation)
    try EntryPipeline(order, of: review.source, settings).run { index, entry in
      var share = ProgressShare(of: entry.uncounted, over: entry.data.byteCount)
      try writer.append(entry.header, data: entry.data) {
        context.progress.advance(by: share.part(for: $0))
      }
      if entry.isReadAgain, try entry.data.hasChanged() {
        throw SourceError.changed(order[index].path.escaped)
      }
    }
    return try writer.finish()
  }

  /// Returns the items of a package in the order of the file, or the items of a folder in the order of its future
  /// package.
  package static func entryOrder(of review: ContentReview) -> ContentItems {
    review.source.kind == .folder ? entryOrder(review.items) : review.items.sorted { $0.index < $1.index }
  }

  /// Returns the manifest, followed by all other items sorted by the bytes of their stored names.
  package static func entryOrder(_ items: ContentItems) -> ContentItems {
    items.filtered { $0.isContent || $0.path == PackageLayout.manifest }.sorted { left, right in
      let (first, second) = (left.path == PackageLayout.manifest, right.path == PackageLayout.manifest)
      guard first == second else { return first }
      return left.isStored(before: right)
    }
  }
}

/// Distributes a number of progress bytes evenly over the written bytes.
private struct ProgressShare {
  private let total: Int64
  private let written: Int64
  private var done: Int64 = 0
  private var counted: Int64 = 0

  init(of total: Int64, over written: Int64) {
    self.total = total
    self.written = max(1, written)
  }

  /// Returns the progress for the next `bytes` written. Both totals are at most 2^31, so their product cannot overflow.
  mutating func part(for bytes: Int64) -> Int64 {
    done += bytes
    let due = total * done / written
    defer { counted = due }
    return due - counted
  }
}

extension StagedOutput {
  /// Checks the size of a package.
  ///
  /// - Throws: `PackageTooLarge`.
  fileprivate func checkSize(_ limits: Limits) throws(PackageTooLarge) {
    guard byteCount <= limits.bytes else { throw PackageTooLarge(bytes: byteCount, limit: limits.bytes) }
  }

  /// Publishes a finished output under its name, unless the output is too large or the work was cancelled. If `input` is
  /// given, replaces that file only if it has not changed since it was opened.
  ///
  /// - Returns: The size in bytes, and the previous content of `input`.
  consuming func publish(
    in context: WorkContext, inPlaceOf input: InputFile? = nil
  ) throws -> (bytes: Int64, replaced: ReplacedFile?) {
    let bytes = byteCount
    try checkSize(context.limits)
    try context.cancellation.check()
    context.progress.begin(.synchronizing, path)
    guard let input else {
      try commit()
      return (bytes, nil)
    }
    guard case .replaced(let previous) = try commit(inPlaceOf: input) else {
      throw SourceError.changed(input.path)
    }
    return (bytes, previous)
  }
}

extension ContentItem {
  /// Returns whether the stored name of this item sorts before that of another. Stored names of folders end in a slash.
  fileprivate func isStored(before other: ContentItem) -> Bool {
    let (left, right) = (path.bytes, other.path.bytes)
    let slash = UInt8(ascii: "/")
    var index = 0
    while index < left.count, index < right.count {
      guard left[index] == right[index] else { return left[index] < right[index] }
      index += 1
    }
    if index < right.count { return kind != .folder || right[index] >= slash }
    return index < left.count && other.kind == .folder && left[index] < slash
  }
}
#endif

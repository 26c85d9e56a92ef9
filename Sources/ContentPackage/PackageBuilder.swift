public import SafeFiles
public import ZipArchive

/// Makes a package of a content folder: what `review` accepts, `write` packs.
///
/// ```swift
/// let builder = PackageBuilder()
/// let review = try builder.review(.open("Book"))
/// if review.findings.areAcceptable { try builder.write(review, to: "Book.pkg") }
/// ```
public struct PackageBuilder: Sendable {
  package let limits: Limits
  package let jobs: Int
  package let compression: Compression
  /// The time that every entry gets.
  package let time: DOSTime
  package let cancellation: Cancellation
  package let progress: WorkProgress

  /// What may be under way at once, in bytes held in memory.
  private static let capacity = 24 * 1024 * 1024

  /// A builder for any number of packages.
  ///
  /// - Parameters:
  ///   - limits: how large a package may be.
  ///   - jobs: how many threads read and compress, at least 1; as many as there are processors if nil.
  ///   - compression: how files are compressed.
  ///   - time: what every entry records as its time.
  ///   - cancellation: ends the work early.
  ///   - progress: counts the bytes that are checked, and then those that are packed.
  public init(
    limits: Limits = Limits(), jobs: Int? = nil, compression: Compression = .auto, time: DOSTime = .first,
    cancellation: Cancellation = Cancellation(), progress: WorkProgress = WorkProgress()
  ) {
    self.limits = limits
    self.jobs = WorkerPool.count(jobs)
    self.compression = compression
    self.time = time
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Applies every rule to a source that is to be packed.
  ///
  /// - Parameter source: the content folder.
  /// - Returns: what was found, and what is to be packed.
  /// - Throws: `FileFailure`, `SourceChanged` or `Interruption` if it cannot be read.
  public func review(_ source: FolderSource) throws -> ContentReview {
    var review = try ContentReview(of: source, for: .pack, limits: limits)
    let pass = ContentPass(
      jobs: jobs, cancellation: cancellation, progress: progress, spoolFolder: FileSystem.temporaryFolder)
    review.add(try pass.run(on: review, .checking, source.path))
    return review
  }

  /// Writes what was reviewed and accepted to `path`, where it appears whole or not at all; the same content gives
  /// the same bytes.
  ///
  /// - Parameters:
  ///   - review: what `review` has found; it must be acceptable.
  ///   - path: the package to be.
  ///   - replacing: whether a file that is there may be replaced.
  /// - Returns: the bytes of the package.
  /// - Throws: `ContentRejected` if a finding is an error, `FileFailure`, `SourceChanged`, `CompressionFailure`, `Interruption`, or `PackageTooLarge` if the
  ///   archive itself exceeds the limit.
  @discardableResult
  public func write(_ review: ContentReview, to path: String, replacing: Bool = false) throws -> Int64 {
    guard review.findings.areAcceptable else { throw ContentRejected(findings: review.findings) }
    let order = Self.entryOrder(review.items)
    let settings = EntryPreparation.Settings(
      compression: compression, time: time, spoolFolder: FileSystem.folder(of: path),
      cancellation: cancellation, progress: progress)
    progress.begin(.packing, path, totalBytes: SizeRules.contentBytes(of: order.filter { $0.kind == .file }))
    var assembler = ZipAssembler(into: try StagedOutput.create(at: path, replacing: replacing))
    try OrderedWork.run(
      count: order.count, jobs: jobs, capacity: Self.capacity,
      weight: { EntryPreparation.weight(of: order[$0]) },
      makeWork: {
        let preparation = EntryPreparation(settings)
        return { try preparation.prepare(order[$0], of: review.source) }
      },
      take: { index, entry in
        try cancellation.check()
        try assembler.append(entry.header, data: entry.data)
        if entry.isReadAgain, case .file(let file, _) = entry.data, try file.hasChanged() {
          throw SourceChanged(path: order[index].path.escaped)
        }
      })
    return try assembler.finish().publish(limits, cancellation, progress)
  }

  /// The manifest, then everything else by the bytes of the names as they are stored.
  private static func entryOrder(_ items: [ContentItem]) -> [ContentItem] {
    var order = items.filter { $0.isContent || $0.path == PackageLayout.manifest }
    order.sort { left, right in
      let (first, second) = (left.path == PackageLayout.manifest, right.path == PackageLayout.manifest)
      guard first == second else { return first }
      return left.isStored(before: right)
    }
    return order
  }
}

/// Content that breaks a rule was to be packed.
public struct ContentRejected: Error {
  /// All that was found.
  public let findings: [Finding]
}

/// What was written is larger than a package may be, although the content is not.
public struct PackageTooLarge: Error {
  /// What the package would have.
  public let bytes: Int64
  /// What it may have.
  public let limit: Int64
}

extension StagedOutput {
  /// Gives a finished package its name, unless it is too large or nobody wants it any more.
  ///
  /// - Returns: its bytes.
  consuming func publish(
    _ limits: Limits, _ cancellation: Cancellation, _ progress: WorkProgress
  ) throws -> Int64 {
    let bytes = byteCount
    guard bytes <= limits.bytes else { throw PackageTooLarge(bytes: bytes, limit: limits.bytes) }
    try cancellation.check()
    progress.begin(.synchronizing, path)
    try commit()
    return bytes
  }
}

extension ContentItem {
  /// Compares the names as the archive holds them: a folder's ends in a slash, which takes part in the order.
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

#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// A validated package, with the data for its publication.
package struct PreparedPackage: Sendable {
  /// The path of the package file.
  package let path: String
  /// Kept open since the validation, so that exactly the validated bytes are uploaded.
  private(set) var bytes: any ByteSource
  /// The product and the version in the manifest.
  package let info: ContentInfo
  /// The result of the validation, with the findings.
  package let report: ValidationReport
  private(set) var index: PagedIndex
  let package: ObjectReference
  /// The references to the head and to the pages of the index.
  let indexReferences: (head: ObjectReference, pages: ObjectReference)
  private let files: Int64

  /// The size of the package in bytes.
  package var archiveBytes: Int64 { package.byteCount }

  /// Validates a package and computes the digests of its contents in one pass; `accepts` returns whether a package with
  /// these findings may be published.
  ///
  /// - Throws: `PublishingError.invalid`, also for `withdrawn` content, `FileError`, `SourceError`, `Interruption`; the
  ///   errors of `WithdrawnContent.finding`.
  package init(
    _ path: String, by validator: PackageValidator, refusing withdrawn: WithdrawnContent,
    accepts: ([Finding]) -> Bool
  ) throws {
    validator.context.progress.begin(.checking, path)
    try self.init(
      PackageSource.open(path, cancellation: validator.context.cancellation), at: path, by: validator,
      refusing: withdrawn, accepts: accepts)
  }

  /// Validates an open package in the same way.
  ///
  /// - Throws: The errors of `init(_:by:refusing:accepts:)`.
  init(
    _ source: PackageSource, at path: String, by validator: PackageValidator,
    refusing withdrawn: WithdrawnContent? = nil, accepts: ([Finding]) -> Bool
  ) throws {
    let digests = ContentDigests(count: source.structure.entries.count)
    // The review and the digest each take seconds for a large package, so they run concurrently.
    let ((checked, chunks, review), digest) = try WorkerPool.both(jobs: validator.context.jobs) {
      var review = try validator.review(of: source, makeReceiver: digests.makeReceiver)
      review.add(PackageValidator.nameFindings(of: source, at: path))
      let checked = try Self.accepted(ValidationReport(path: path, review: review), of: source, accepts)
      return (
        checked, chunks: try review.chunks(validator.context), review: withdrawn == nil ? nil : review
      )
    } and: {
      try SHA256Digest(of: source.bytes, cancellation: validator.context.cancellation)
    }
    let (report, info) = (checked.report, checked.info)
    let (product, version) = (info.productIdentifier, info.contentVersion)
    let itemDigests = digests.finish()
    if let withdrawn, let review, let finding = try withdrawn.finding(for: review, info, itemDigests) {
      throw PublishingError.invalid(path: path, findings: [finding])
    }
    index = try PagedIndex(
      of: source.indexEntries(itemDigests, chunks), manifest: Self.bytes(of: checked.manifest, in: source))
    guard index.head.contentBytes <= DocumentLimits.maximumAllPagesBytes else {
      throw PublishingError.unreadable(
        place: path,
        reason:
          "would have an index of \(index.head.contentBytes) bytes, expected at most "
          + "\(DocumentLimits.maximumAllPagesBytes)"
      )
    }
    guard try !source.bytes.hasChanged() else { throw SourceError.changed(path) }
    self.path = path
    self.report = report
    bytes = source.bytes
    self.info = info
    package = ObjectReference(
      path: .package(product, version, digest), byteCount: source.bytes.byteCount, digest: digest)
    let head = index.head.bytes
    let (headDigest, pagesDigest) = (
      SHA256Digest(of: head),
      try SHA256Digest(of: index.pages, cancellation: validator.context.cancellation)
    )
    indexReferences = (
      head: ObjectReference(
        path: .index(product, version, headDigest), byteCount: Int64(head.count), digest: headDigest),
      pages: ObjectReference(
        path: .pages(product, version, pagesDigest), byteCount: index.pages.byteCount, digest: pagesDigest)
    )
    files = Int64(source.items.count { $0.isContent && $0.kind != .folder })
  }

  /// Returns the bytes of a validated file. Damage means that the package was modified since.
  private static func bytes(of item: ContentItem, in source: PackageSource) throws -> [UInt8] {
    try source.readingVerified { try source.bytes(of: item) }
  }

  /// Returns the data of an accepted package.
  ///
  /// - Throws: `PublishingError.invalid` for a rejected package.
  private static func accepted(
    _ report: ValidationReport, of source: PackageSource, _ accepts: ([Finding]) -> Bool
  ) throws(PublishingError) -> (report: ValidationReport, info: ContentInfo, manifest: ContentItem) {
    guard accepts(report.findings), source.isReadable, let product = report.productIdentifier,
      let version = report.contentVersion,
      let manifest = source.items.first(where: { $0.path == PackageLayout.manifest })
    else { throw .invalid(path: report.path, findings: report.findings) }
    guard version.text.utf8.count <= StorePath.maximumVersionLength else {
      let finding = Finding(
        .manifestContentVersion, at: PackageLayout.manifest,
        "the version has \(version.text.utf8.count) characters, expected at most \(StorePath.maximumVersionLength) to "
          + "be published")
      throw .invalid(path: report.path, findings: report.findings + [finding])
    }
    return (report, ContentInfo(productIdentifier: product, contentVersion: version), manifest)
  }

  /// Returns the package without its bytes, so that its files are closed.
  func withoutBytes() -> PreparedPackage {
    var package = self
    package.bytes = MemoryBytes([])
    package.index = PagedIndex(head: index.head, pages: MemoryBytes([]))
    return package
  }

  /// Returns the release of the package.
  func release(in channel: Channel, _ attributes: ReleaseAttributes, at time: Timestamp) -> Release {
    Release(
      contentVersion: info.contentVersion, channel: channel, minimumAppVersion: attributes.minimumAppVersion,
      maximumAppVersion: attributes.maximumAppVersion, published: time,
      rollout: attributes.rollout?.rollout(at: time), critical: attributes.critical,
      contentBytes: report.contentBytes, files: files, package: package, index: indexReferences.head,
      pages: indexReferences.pages, notes: attributes.notes.map { $0.note(of: info) },
      metadata: attributes.metadata)
  }

  /// The objects of the index, with their bytes.
  var indexObjects: [(reference: ObjectReference, bytes: any ByteSource)] {
    [(indexReferences.head, MemoryBytes(index.head.bytes)), (indexReferences.pages, index.pages)]
  }

  /// Returns the digests of the package's files.
  func fileDigests() throws -> FileDigests {
    var digests = FileDigests.Collection()
    try forEachEntry { digests.add($0) }
    return digests.finish(index.head)
  }

  /// Returns the bytes that an update to the package transfers.
  func updateBytes(from installed: FileDigests) throws -> Int64 {
    var update = UpdateTransfer(from: installed)
    try forEachEntry { update.add($0) }
    return update.bytes(withIndexOf: installed.indexBytes(of: index.head))
  }

  private func forEachEntry(_ body: (IndexEntry) -> Void) throws {
    do throws(DocumentError) {
      try index.read(packageBytes: archiveBytes, body)
    } catch {
      if let cause = error.cause { throw cause }
      throw error
    }
  }
}

extension PackageSource {
  /// Returns the entries in offset order, created on access; `digests` are those of the files, and `chunks` those of
  /// large files, by item index.
  fileprivate func indexEntries(
    _ digests: [SHA256Digest], _ chunks: [Int: [Chunk]]
  ) -> some Sequence<IndexEntry> {
    let items = items
    var positions = [UInt32](repeating: 0, count: items.count)
    for (position, item) in items.enumerated() { positions[item.index] = UInt32(position) }
    return positions.lazy.map { position in
      let item = items[Int(position)]
      let entry = structure.entries[item.index]
      let (kind, digest): (IndexEntry.Kind, SHA256Digest?) =
        switch item.kind {
        case .folder: (.folder, nil)
        case .link(let target): (.link, SHA256Digest(of: target ?? []))
        case .file, .special: (.file, digests[item.index])
        }
      return IndexEntry(
        path: entry.path, kind: kind, mode: entry.permissions, size: entry.size, digest: digest,
        method: entry.method == .stored ? .stored : .deflated, offset: entry.dataOffset,
        packedSize: entry.compressedSize, crc32: entry.crc32, target: item.kind.target,
        chunks: chunks[item.index] ?? [])
    }
  }
}
#endif

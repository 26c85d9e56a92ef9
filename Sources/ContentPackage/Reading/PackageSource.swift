package import SafeFiles
package import Support
package import ZipArchive

/// The content of a package file.
package struct PackageSource: ContentSource {
  /// The bytes of the package, such as a file.
  package let bytes: any ByteSource
  /// The byte map of the archive: its entries and the deviations from the strict profile.
  package let structure: ZipStructure
  package let items: ContentItems
  package let findings: [Finding]

  package var path: String { bytes.name }
  package var kind: ContentKind { .package }
  package var archiveBytes: Int64? { bytes.byteCount }
  package let isReadable: Bool
  package let isComplete: Bool
  /// Returns whether the user ignores a finding. A package that was built from a folder uses the settings of that folder.
  package var ignores: @Sendable (Finding) -> Bool = { _ in false }

  /// Opens a package file; see `open(_:reportingInstallers:cancellation:)`.
  ///
  /// - Throws: `FileError` if the file cannot be opened, and the errors of the other `open`.
  package static func open(
    _ path: String, reportingInstallers: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws -> PackageSource {
    try open(InputFile.open(path), reportingInstallers: reportingInstallers, cancellation: cancellation)
  }

  /// Opens a package: accounts for every byte, and reads the targets of links.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the package.
  ///   - reportingInstallers: Whether an installer package made by Xcode is a finding instead of an error.
  ///   - cancellation: Ends the work early.
  /// - Returns: The content, with the findings about the archive.
  /// - Throws: `InstallerPackageFound` unless `reportingInstallers`, `SourceError` if the bytes cannot be read or have
  ///   changed, `Interruption`.
  package static func open(
    _ bytes: any ByteSource, reportingInstallers: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws -> PackageSource {
    let isInstaller = try InstallerPackageFound.isInstaller(bytes)
    if isInstaller, !reportingInstallers { throw InstallerPackageFound(path: bytes.name) }
    let structure = try ZipStructure.read(from: bytes, cancellation: cancellation)
    try cancellation.check()
    let entries = structure.entries
    var order = entries.indices.map { UInt32($0) }
    try order.sort {
      try cancellation.check()
      return entries[Int($0)].path < entries[Int($1)].path
    }
    var findings = FindingList()
    findings.add(isInstaller ? [.installerPackage] : structure.findings.map(Finding.init))
    let excess = ExcessRules.finding(for: ContentItems(entries, order: order, targets: LinkTargets()))
    if let excess { findings.add(excess) }
    let (isReadable, isComplete) = (
      structure.isSound && excess == nil, structure.hasAllEntries && excess == nil
    )
    let targets =
      isReadable ? try targets(of: entries, in: bytes, cancellation) { findings.add($0) } : LinkTargets()
    if try bytes.hasChanged() { throw SourceError.changed(bytes.name) }
    return PackageSource(
      bytes: bytes, structure: structure,
      items: excess == nil ? ContentItems(entries, order: order, targets: targets) : ContentItems(),
      findings: findings.findings, isReadable: isReadable, isComplete: isComplete)
  }

  /// Reads the targets of links. Reports damaged targets and omits them.
  private static func targets(
    of entries: [ZipEntry], in bytes: any ByteSource, _ cancellation: Cancellation,
    _ report: (Finding) -> Void
  ) throws -> LinkTargets {
    let decoder = EntryDecoder(source: bytes)
    var targets = LinkTargets()
    for (index, entry) in entries.enumerated() where entry.kind == .link {
      try cancellation.check()
      do {
        targets.append(try target(of: entry, decoder), of: index)
      } catch let error as ContentError {
        report(error.finding)
      }
    }
    return targets
  }

  package func recordedChecksum(of item: ContentItem) -> UInt32? { structure.entries[item.index].crc32 }

  package func recordedData(of item: ContentItem) -> RecordedData? {
    let entry = structure.entries[item.index]
    return RecordedData(offset: entry.dataOffset, method: entry.method)
  }

  package func transferBytes(of item: ContentItem) -> Int64 { structure.entries[item.index].compressedSize }

  package func hasChanged() throws -> Bool { try bytes.hasChanged() }

  package func makeReader() -> any ContentReader { PackageReader(self) }

  /// The maximum total size of the segments that helpers decode ahead, in bytes.
  private static let helperMemory = 16 << 20

  package func makeHelpers(passParts: Int) -> (any ReadingHelpers)? {
    let isLarge = structure.entries.contains {
      $0.method == .deflated && $0.size >= SegmentTable.minimumEntrySize
    }
    return isLarge
      ? DecodingHelpers(passParts: passParts, capacity: Self.helperMemory) { [bytes] in
        SegmentDecoder(source: bytes)
      } : nil
  }

  package func makeReader(with helpers: (any ReadingHelpers)?) -> any ContentReader {
    PackageReader(self, helpers as? DecodingHelpers<SegmentDecoder>)
  }

  package func withoutPaths() -> any ContentSource {
    let bare = structure.withoutPaths()
    return PackageSource(
      bytes: bytes, structure: bare, items: items.replacing(entries: bare.entries), findings: findings,
      isReadable: isReadable, isComplete: isComplete)
  }

  /// The placeholder for a target that is too long to be read.
  private static let tooLongTarget = [UInt8](
    repeating: UInt8(ascii: "?"), count: Int(Limits.maximumLinkTargetBytes) + 1)

  /// Returns the target of a link: the decoded data of the entry, or a placeholder for data over the maximum length.
  private static func target(of entry: ZipEntry, _ decoder: EntryDecoder) throws -> [UInt8] {
    guard entry.size <= Limits.maximumLinkTargetBytes else {
      return tooLongTarget
    }
    var target: [UInt8] = []
    try decoder.stream(entry) { block in unsafe block.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
    }
    return target
  }
}

/// Reads entries of one package; confined to one thread.
private final class PackageReader: ContentReader {
  private let source: PackageSource
  private let decoder: EntryDecoder

  init(_ source: PackageSource, _ helpers: DecodingHelpers<SegmentDecoder>? = nil) {
    self.source = source
    decoder = EntryDecoder(source: source.bytes, helpers: helpers)
  }

  /// Returns the entry of an item, with the item's path: the entries of the source may lack paths.
  private func entry(of item: ContentItem) -> ZipEntry {
    var entry = source.structure.entries[item.index]
    entry.path = item.path
    return entry
  }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    try decoder.stream(entry(of: item), body)
  }

  func packed(_ item: ContentItem) -> CompressedData {
    let entry = entry(of: item)
    return CompressedData(
      method: entry.method,
      data: source.bytes.part(entry.dataOffset..<entry.dataOffset + entry.compressedSize))
  }

  func content(of item: ContentItem) throws -> any ContentStream {
    let entry = entry(of: item)
    switch entry.method {
    case .stored: return StoredStream(packed(item).data)
    case .deflated: return try InflatedStream(entry, of: source.bytes)
    }
  }
}

/// The content of a deflated entry.
private final class InflatedStream: ContentStream {
  private let path: EntryPath
  private let stream: EntryStream

  init(_ entry: ZipEntry, of bytes: any ByteSource) throws {
    path = entry.path
    do throws(EntryDecodingError<Never>) { stream = try EntryStream(entry, of: bytes) } catch {
      throw error.thrown(at: entry.path)
    }
  }

  func read(into buffer: inout [UInt8], count: Int) throws -> Int {
    do throws(EntryDecodingError<Never>) { return try stream.read(into: &buffer, count: count) } catch {
      throw error.thrown(at: path)
    }
  }
}

extension EntryDecodingError {
  /// Returns the error to throw: damage becomes a finding about the entry at `path`.
  fileprivate func thrown(at path: EntryPath) -> any Error {
    switch self {
    case .damaged(let error): ContentError(finding: Finding(Rule(error.kind), at: path, error.message))
    case .source(let error): error
    case .body(let error): error
    }
  }
}

extension EntryDecoder {
  /// Decodes `entry`. Throws damage as a `ContentError`.
  fileprivate func stream(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws {
    do throws(EntryDecodingError<any Error>) {
      try decode(entry) { (block) throws(any Error) in try body(block) }
    } catch {
      throw error.thrown(at: entry.path)
    }
  }
}

extension Rule {
  /// Creates the rule for a finding about an archive.
  init(_ finding: ZipFinding.Kind) {
    switch finding {
    case .notAZip: self = .archiveNotAZip
    case .truncated: self = .archiveTruncated
    case .endRecord: self = .archiveEndRecord
    case .entryCount: self = .archiveEntryCount
    case .directorySize: self = .archiveDirectorySize
    case .directoryRecord: self = .archiveDirectoryRecord
    case .zip64: self = .archiveZip64
    case .multiDisk: self = .archiveMultiDisk
    case .localMismatch: self = .archiveLocalMismatch
    case .overlap: self = .archiveOverlap
    case .gap: self = .archiveGap
    case .method: self = .archiveMethod
    case .encrypted: self = .archiveEncrypted
    case .flags: self = .archiveFlags
    case .descriptor: self = .archiveDescriptor
    case .sizeMismatch: self = .archiveSizeMismatch
    case .checksum: self = .archiveChecksum
    case .extraField: self = .archiveExtraField
    case .comment: self = .archiveComment
    case .unflaggedName: self = .archiveUnflaggedName
    case .nameBytes: self = .pathTooLong
    }
  }
}

extension Finding {
  fileprivate static let installerPackage = Finding(
    .archiveNotAZip,
    "the file is an installer package made by Xcode (a xar archive), expected a ZIP archive",
    remedy: "convert it with iapkg import")

  fileprivate init(_ finding: ZipFinding) {
    self.init(Rule(finding.kind), at: finding.path, finding.message, omitted: finding.omitted)
  }
}

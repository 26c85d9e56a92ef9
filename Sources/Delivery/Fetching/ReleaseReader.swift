import ContentPackage
import SafeFiles
import ZipArchive

/// Reads the files of a release, and holds each against its digest; belongs to one thread.
final class ReleaseReader: ContentReader {
  private let source: ReleaseSource
  /// The run that is being received.
  private var run = -1
  private var received: ReceivedEntries?

  init(_ source: ReleaseSource) { self.source = source }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    let entry = source.index.entries[item.index]
    if entry.path == PackageLayout.manifest {
      let manifest = source.index.manifest
      try body(unsafe manifest.span.bytes)  // any UInt8 is a byte
    } else if let run = source.run(of: item.index) {
      try receive(entry, run, body)
    } else if let digest = entry.digest, let file = try source.reused.file(for: item.index) {
      try copy(file, digest, body)
    } else if entry.size > 0 || entry.digest != .ofNothing {
      throw Untrustworthy(source.path, "has no bytes for \(entry.path.escaped)")
    }
  }

  /// Goes on in the run of an entry, or begins again with the entry where it was passed.
  private func receive(_ entry: IndexEntry, _ run: Int, _ body: (RawSpan) throws -> Void) throws {
    if run != self.run || received.map({ $0.position > entry.offset }) ?? true {
      received = nil
      let rest = entry.offset..<source.plan.runs[run].range.upperBound
      received = try source.package.entries(in: source.isWhole ? nil : rest)
      self.run = run
    }
    do {
      try received?.decode(entry, body)
    } catch {
      received = nil
      throw error
    }
  }

  /// Copies a file that was looked at before, and may have been changed since.
  private func copy(_ file: InputFile, _ digest: SHA256Digest, _ body: (RawSpan) throws -> Void) throws {
    var hasher = SHA256Hasher()
    let isWhole = try file.forEachBlock { block in
      hasher.update(block)
      try body(block)
    }
    guard isWhole, hasher.finish() == digest else { throw SourceError.changed(file.path) }
  }

  /// A file's content, which is received for the purpose.
  func packed(_ item: ContentItem) throws -> PackedData {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    try read(item) { try buffer.append($0) }
    return PackedData(method: .stored, data: try buffer.finish())
  }

  func content(of item: ContentItem) throws -> any ContentStream { StoredStream(try packed(item).data) }
}

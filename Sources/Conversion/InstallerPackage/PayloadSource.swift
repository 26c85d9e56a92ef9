import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The content in the payload of an installer package.
///
/// A payload can only be read once and sequentially, so the data of its files are spooled to an unnamed file. Names
/// from the payload are never used as file names.
struct PayloadSource: ContentSource {
  let path: String
  let items: ContentItems
  let findings: [Finding]
  private let data: any ByteSource
  /// The offset of each item's data in `data`, by item index.
  private let offsets: [Int64]

  var kind: ContentKind { .package }
  var archiveBytes: Int64? { nil }
  var isReadable: Bool { findings.isEmpty }
  var isComplete: Bool { findings.isEmpty }

  /// Reads a complete payload.
  ///
  /// - Parameters:
  ///   - package: The installer package.
  ///   - path: The path of the installer package.
  ///   - spoolFolder: A folder on the file system for the data.
  ///   - context: The limits; its progress counts the bytes of the payload.
  /// - Throws: `ConversionError.damaged`, `SourceError`, `FileError`, `Interruption`.
  init(
    _ package: InstallerPackage, path: String, spoolFolder: String, _ context: WorkContext
  ) throws {
    self.path = path
    var reading = PayloadReading(try SpoolFile.create(in: spoolFolder), context)
    context.progress.begin(.unpacking, path, totalBytes: package.payloadBytes)
    // Reading and verifying a large payload take seconds each, so they run in parallel.
    _ = try WorkerPool.both(jobs: context.jobs) {
      do {
        try package.readPayload(context.progress) { try reading.read(&$0) }
      } catch is PayloadTooLarge {}  // the reason is recorded, and the rest is not needed
    } and: {
      try package.checkPayload(context.cancellation)
    }
    let (list, excess) = (reading.list, reading.excess)
    offsets = list.offsets
    data = try reading.finish()
    var order = list.paths.paths.indices.map { UInt32($0) }
    order.sort { list.paths[Int($0)] < list.paths[Int($1)] }
    let all = ContentItems(order: order) { list.item($0) }
    findings = [excess ?? ExcessRules.finding(for: all)].compactMap(\.self)
    items = findings.isEmpty ? all : ContentItems()
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? { nil }

  func transferBytes(of item: ContentItem) -> Int64 { item.size }

  func hasChanged() -> Bool { false }

  func makeReader() -> any ContentReader { SpooledReader(self) }

  fileprivate func bytes(of item: ContentItem) -> any ByteSource {
    data.part(offsets[item.index]..<offsets[item.index] + item.size)
  }
}

/// Reads the files of one payload; belongs to one thread.
private final class SpooledReader: ContentReader {
  private let source: PayloadSource

  init(_ source: PayloadSource) { self.source = source }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    let data = source.bytes(of: item)
    guard try data.forEachBlock(body) else { throw SourceError.endedEarly(data.name) }
  }

  func packed(_ item: ContentItem) -> CompressedData {
    CompressedData(method: .stored, data: source.bytes(of: item))
  }

  func content(of item: ContentItem) -> any ContentStream { StoredStream(source.bytes(of: item)) }
}

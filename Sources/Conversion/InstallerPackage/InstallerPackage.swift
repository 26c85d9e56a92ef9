import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// An installer package in the format of Xcode and productbuild --content: a xar archive with one payload, which is a
/// compressed cpio archive of the content folder.
struct InstallerPackage: Sendable {
  /// The names that pkgbuild gives a payload; the second is for packages of more than 8 GB.
  private static let payloadNames = ["Payload", "LargeSegmentedPayload"].map { Array($0.utf8) }
  /// The maximum size of a payload in bytes, twice the limit of the content.
  private static let maximumPayloadSize = Int64(UInt32.max)

  private let archive: XarArchive
  private let payload: XarFile.Data
  /// The paths of the other parts of the package, which are not imported.
  let otherParts: [String]

  /// Opens an installer package.
  ///
  /// - Throws: `ConversionError.damaged` unless there is exactly one payload, `SourceError`.
  init(_ bytes: any ByteSource) throws {
    archive = try XarArchive(bytes)
    let payloads = archive.files.filter { Self.payloadNames.contains(Array($0.path.name)) }
    guard payloads.count < 2 else {
      let names = payloads.prefix(3).map(\.path.escaped).joined(separator: ", ")
      throw ConversionError.damaged(bytes.name, "it has \(payloads.count) payloads (\(names)), expected one")
    }
    guard let data = payloads.first?.data else {
      throw ConversionError.damaged(
        bytes.name, "it has no file Payload, expected one as in an installer package of content")
    }
    guard data.size <= Self.maximumPayloadSize else {
      throw ConversionError.damaged(
        bytes.name, "its payload declares \(data.size) bytes, expected at most \(Self.maximumPayloadSize)")
    }
    payload = data
    let others = archive.files.filter { $0.data != nil && !Self.payloadNames.contains(Array($0.path.name)) }
    otherParts = others.map(\.path.escaped) + (archive.isSigned ? ["the signature"] : [])
  }

  /// The size of the payload in the archive, in bytes.
  var payloadBytes: Int64 { Int64(payload.range.count) }

  /// Reads all entries of the payload, without verifying its checksums.
  ///
  /// - Throws: `ConversionError.damaged`, `SourceError`, and the errors of `body`.
  func readPayload(_ progress: WorkProgress, _ body: (inout CpioReader) throws -> Void) throws {
    try namingArchive {
      let archived = ArchivedStream(payload, in: archive.bytes, progress)
      var reader = CpioReader(try Self.decoded(try content(archived)))
      try body(&reader)
    }
    guard try !archive.bytes.hasChanged() else { throw SourceError.changed(archive.bytes.name) }
  }

  /// Verifies the payload against the checksums in the table of contents.
  ///
  /// - Throws: `ConversionError.damaged`, `SourceError`, `Interruption`.
  func checkPayload(_ cancellation: Cancellation) throws {
    let archived = archive.bytes.part(payload.range)
    try namingArchive {
      if let checksum = payload.checksum {
        try verify(SourceStream(archived), against: checksum, "", cancellation)
      }
      if let checksum = payload.decodedChecksum, payload.encoding != .plain || checksum != payload.checksum {
        try verify(content(SourceStream(archived)), against: checksum, "decoded ", cancellation)
      }
    }
  }

  private func verify(
    _ stream: any ByteStream, against checksum: XarChecksum, _ kind: String, _ cancellation: Cancellation
  ) throws {
    var hasher = XarChecksum.Hasher(for: checksum)
    var block = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      try cancellation.check()
      let count = try stream.read(into: &block, count: block.count)
      guard count > 0 else { break }
      hasher.update(unsafe block.borrowedSpan.bytes.extracting(first: count))  // UInt8 has no padding
    }
    guard hasher.isMatch else {
      throw ConversionError.damaged(
        archive.bytes.name,
        "its \(kind)payload does not have the checksum that its table of contents declares")
    }
  }

  /// Performs `work`, and names the archive in the errors of its streams.
  private func namingArchive(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as StreamError {
      switch error {
      case .source(let error): throw error
      case .damaged(let message): throw ConversionError.damaged(archive.bytes.name, message)
      }
    }
  }

  /// Returns the payload decoded from the encoding of the archive.
  private func content(_ archived: any ByteStream) throws(StreamError) -> any ByteStream {
    switch payload.encoding {
    case .plain: return archived
    case .zlib: return try SizedStream(InflatedStream(archived, .zlib), count: payload.size)
    case .bzip2: return try DecompressedStream(archived, .bzip2)
    case .lzma: return try DecompressedStream(LZMALimit.checked(archived), .lzma)
    case .xz: return try DecompressedStream(XzLimitedStream(archived), .xz)
    }
  }

  /// Returns a stream that decompresses the payload; its first bytes identify the compression.
  private static func decoded(_ stream: any ByteStream) throws(StreamError) -> any ByteStream {
    let peeked = try PeekedStream(stream, count: CpioReader.magicLength)
    if peeked.head.starts(with: BlockStream.magic) { return try BlockStream(peeked) }
    switch methods.first(where: { peeked.head.starts(with: $0.magic) })?.method {
    case nil: return peeked
    case .gzip: return try InflatedStream(peeked, .gzip)
    case .xz: return try DecompressedStream(XzLimitedStream(peeked), .xz)
    case let method?: return try DecompressedStream(peeked, method)
    }
  }

  /// The magic bytes of compressed streams: RFC 1952 2.3.1, the .xz file format 2.1.1.1, bzip2(1), RFC 8878 3.1.1.
  private static let methods: [(magic: [UInt8], method: NestedStream.Method)] = [
    ([0x1F, 0x8B], .gzip), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz), (Array("BZh".utf8), .bzip2),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
  ]
}

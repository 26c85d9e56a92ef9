package import SafeFiles

/// Data in the zlib format (RFC 1950): a header of two bytes, a deflate stream, and a checksum of four.
package enum ZlibData {
  private static let headerLength: Int64 = 2
  private static let checksumLength: Int64 = 4

  /// Decodes data in memory.
  ///
  /// - Returns: Nil unless the data decode to exactly `count` bytes with a correct checksum.
  package static func decode(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    guard let inflater = Inflater.make() else { return nil }
    var decoded = [UInt8](repeating: 0, count: count)
    var span = decoded.mutableSpan
    var target = unsafe span.mutableBytes  // every byte is a valid UInt8
    return inflater.inflate(unsafe bytes.span.bytes, .zlib, into: &target) ? decoded : nil
  }

  /// Returns a stream over data of any length, which must decode to `count` bytes. The checksum is not verified.
  package static func stream(
    of source: any ByteSource, count: Int64
  ) throws(StreamError) -> any ByteStream {
    let end = source.byteCount - checksumLength
    guard end > headerLength else { throw .damaged("the compressed data are too short") }
    return try InflatedStream(source.part(headerLength..<end), count: count)
  }
}

/// A deflate stream, decoded as the only entry of an archive.
private final class InflatedStream: ByteStream {
  private let stream: EntryStream
  private let expected: Int64
  private var decoded: Int64 = 0

  init(_ source: any ByteSource, count: Int64) throws(StreamError) {
    expected = count
    let entry = ZipEntry(
      path: EntryPath("entry"), kind: .file, method: .deflated, crc32: 0, compressedSize: source.byteCount,
      size: count, permissions: nil, localHeaderOffset: 0, dataOffset: 0, endOffset: source.byteCount,
      centralDirectoryHeader: 0..<0, offsetField: 0..<0)
    do throws(EntryDecodingError<Never>) { stream = try EntryStream(entry, of: source) } catch {
      throw StreamError(error)
    }
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let read: Int
    do throws(EntryDecodingError<Never>) { read = try stream.read(into: &buffer, count: count) } catch {
      throw StreamError(error)
    }
    decoded += Int64(read)
    guard read > 0 ? decoded <= expected : decoded == expected else {
      throw .damaged("the data decode to another number of bytes than the declared \(expected)")
    }
    return read
  }
}

extension StreamError {
  fileprivate init(_ error: EntryDecodingError<Never>) {
    switch error {
    case .damaged(let finding): self = .damaged(finding.message)
    case .source(let error): self = .source(error)
    }
  }
}

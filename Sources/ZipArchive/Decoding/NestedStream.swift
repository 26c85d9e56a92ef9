package import SafeFiles

/// Decodes the beginning of a compressed file of the content, to recognize its content.
package enum NestedStream {
  /// The compression format of a stream.
  package enum Method: Sendable, CaseIterable {
    case gzip, bzip2, xz, lzma, lzip, zstd, lz4, compress
  }

  /// The first decoded bytes of a stream.
  package struct Beginning: Sendable {
    /// The decoded bytes, up to the requested number.
    package let bytes: [UInt8]
    /// Whether the stream ends after these bytes.
    package let isWhole: Bool
    /// The error that stopped decoding.
    package let error: ArchiveError?
  }

  /// The maximum number of compressed bytes that libarchive may read. A few decoded kilobytes need no more: the largest
  /// unit that must be read as a whole is a block of LZ4's older form, with 8 MiB of content.
  private static let maximumCompressedSize: Int64 = 16 << 20

  /// - Throws: `SourceError` if the source cannot be read.
  package static func beginning(
    of source: any ByteSource, _ method: Method, count: Int
  ) throws(SourceError) -> Beginning {
    let window = EntryWindow(on: source)
    window.showEverything(lendingAtMost: maximumCompressedSize)
    var bytes: [UInt8] = []
    do throws(ArchiveError) {
      let reader = try unsafe StreamReader.open(window, reading: readFromWindow, method)
      while bytes.count < count {
        let size = bytes.count
        let goesOn = try reader.next { block in
          let part = block.extracting(first: min(block.byteCount, count - size))
          unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        if !goesOn { return Beginning(bytes: bytes, isWhole: true, error: nil) }
      }
      return Beginning(bytes: bytes, isWhole: false, error: nil)
    } catch {
      if let error = window.error { throw error }
      return Beginning(bytes: bytes, isWhole: false, error: error)
    }
  }
}

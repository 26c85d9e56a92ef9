import CArchive
public import SafeFiles

/// Deflates one entry through libarchive.
///
/// libarchive writes a complete archive with this single entry. Only the data, their lengths and the checksum are used.
/// iapkg writes its own headers, because those of libarchive depend on the time zone.
package struct EntryCompressor: ~Copyable {
  private let sink: ArchiveSink
  private var writer: LibarchiveDeflater
  private let size: Int64
  private var taken: Int64 = 0

  /// Starts an entry of exactly `size` bytes. Large compressed data go to a spool file in `folder`.
  ///
  /// - Parameters:
  ///   - size: The size of the entry, in bytes.
  ///   - level: The level of zlib, 1 to 9.
  ///   - folder: The folder of the spool file.
  /// - Throws: `CompressionError.archive`.
  package init(size: Int64, level: Int, spoolingIn folder: String) throws(CompressionError) {
    self.size = size
    sink = ArchiveSink(SpoolBuffer(folder: folder))
    do throws(ArchiveError) {
      writer = try LibarchiveDeflater.begin(size: size, level: level, into: sink)
    } catch {
      throw .archive(error)
    }
  }

  package mutating func write(_ bytes: RawSpan) throws(CompressionError) {
    taken += Int64(bytes.byteCount)
    guard taken <= size else { throw .length(expected: size) }
    do throws(ArchiveError) { try writer.write(bytes) } catch { throw reason(error) }
  }

  /// Ends the entry, and verifies its length: libarchive accepts an entry that is shorter than declared.
  package consuming func finish() throws(CompressionError) -> CompressedEntry {
    guard taken == size else { throw .length(expected: size) }
    let sink = sink
    do throws(ArchiveError) { try writer.finish() } catch {
      if let error = sink.error { throw .file(.file(error)) }
      throw .archive(error)
    }
    let whole: any ByteSource
    let structure: ZipStructure
    do throws(SourceError) {
      whole = try asSourceError { () throws(FileError) in try sink.buffer.finish() }
      structure = try ZipStructure.read(from: whole)
    } catch {
      throw .file(error)
    }
    guard let entry = structure.entries.first, structure.isSound else { throw .layout }
    return CompressedEntry(
      crc32: entry.crc32, size: entry.size,
      data: whole.part(entry.dataOffset..<entry.dataOffset + entry.compressedSize))
  }

  private func reason(_ error: ArchiveError) -> CompressionError {
    if let error = sink.error { .file(.file(error)) } else { .archive(error) }
  }
}

/// The deflated data of an entry, and the values for its headers.
package struct CompressedEntry: Sendable {
  package let crc32: UInt32
  /// The number of bytes before compression.
  package let size: Int64
  package let data: any ByteSource
}

/// The reason why an entry could not be compressed.
public enum CompressionError: Error, Sendable {
  /// A libarchive call failed.
  case archive(ArchiveError)
  /// The compressed data could not be written or read.
  case file(SourceError)
  /// The entry had more or fewer bytes than declared.
  case length(expected: Int64)
  /// libarchive wrote something other than an archive with one entry.
  case layout
}

import CArchive
public import SafeFiles

/// Compresses one entry through libarchive.
///
/// libarchive writes a complete archive of this one entry; what is taken from it are the data, their lengths
/// and the checksum. The headers of the real archive are our own, since libarchive's depend on the time zone.
package struct EntryCompressor: ~Copyable {
  private let sink: ArchiveSink
  private var writer: ZipWriter
  private let size: Int64
  private var taken: Int64 = 0

  /// Begins an entry of exactly `size` bytes; if its compressed data are large, a spool file is made in `folder`.
  ///
  /// - Throws: `CompressionFailure.archive`
  package init(size: Int64, level: CompressionLevel, spoolingIn folder: String) throws(CompressionFailure) {
    self.size = size
    sink = ArchiveSink(SpoolBuffer(folder: folder))
    do throws(ArchiveFailure) {
      writer = try ZipWriter.begin(size: size, level: level, into: sink)
    } catch {
      throw .archive(error)
    }
  }

  package mutating func write(_ bytes: RawSpan) throws(CompressionFailure) {
    taken += Int64(bytes.byteCount)
    guard taken <= size else { throw .length(expected: size) }
    do throws(ArchiveFailure) { try writer.write(bytes) } catch { throw reason(error) }
  }

  /// Ends the entry; an entry shorter than announced would be accepted silently by libarchive.
  package consuming func finish() throws(CompressionFailure) -> CompressedEntry {
    guard taken == size else { throw .length(expected: size) }
    let sink = sink
    do throws(ArchiveFailure) { try writer.finish() } catch {
      if let failure = sink.failure { throw .file(failure) }
      throw .archive(error)
    }
    let whole: EntryData
    let structure: ZipStructure
    do throws(FileFailure) {
      whole = try sink.buffer.finish()
      structure = try ZipStructure.read(from: whole)
    } catch {
      throw .file(error)
    }
    guard let entry = structure.entries.first, structure.isSound else { throw .layout }
    return CompressedEntry(
      crc32: entry.crc32, size: entry.size,
      data: whole.part(entry.dataOffset..<entry.dataOffset + entry.compressedSize))
  }

  private func reason(_ error: ArchiveFailure) -> CompressionFailure {
    if let failure = sink.failure { .file(failure) } else { .archive(error) }
  }
}

/// An entry's data, deflated, with what its headers record.
package struct CompressedEntry: Sendable {
  package let crc32: UInt32
  /// Bytes before compression.
  package let size: Int64
  package let data: EntryData
}

/// Why an entry could not be compressed.
public enum CompressionFailure: Error, Sendable {
  /// A call of libarchive did not succeed.
  case archive(ArchiveFailure)
  /// The compressed data could not be written or read.
  case file(FileFailure)
  /// More or fewer bytes came than were announced.
  case length(expected: Int64)
  /// What libarchive wrote is no archive of one entry.
  case layout
}

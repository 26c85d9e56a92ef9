import CArchive
package import SafeFiles

/// Decodes entries of an accepted archive, each one counted and held against its record.
///
/// Stored data are read as they lie; deflated ones stream through libarchive, and so through zlib. libdeflate would
/// take half the time, but accepts streams that zlib refuses, and zlib is what will read the package elsewhere: more
/// codes than the format has (RFC 1951, 3.2.6 and 3.2.7), and lengths that repeat beyond the last code.
///
/// A decoder belongs to one thread; several may read one source.
package final class EntryDecoder {
  /// How much of a stored entry is read at a time: what stays in a core's own cache.
  private static let blockSize: Int64 = 256 * 1024

  private let source: any ByteSource
  private let window: EntryWindow
  /// Kept for the next stored entry, since a new one is as much work as reading into it.
  private var block: [UInt8] = []

  /// - Parameter source: the archive in which the entries lie.
  package init(source: some ByteSource) {
    self.source = source
    window = EntryWindow(on: source)
  }

  /// Streams the decoded data of `entry` into `body`, block by block; nothing is buffered whole.
  ///
  /// - Throws: `DecodingFailure.damaged` if length or checksum are not the record's or the compressed stream
  ///   is broken, `.source` if the archive cannot be read, `.body` with what `body` threw.
  package func decode<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(E) -> Void
  ) throws(DecodingFailure<E>) {
    // Nothing is what the record promises then, checksum included: the structure holds it to that.
    guard entry.compressedSize > 0 else { return }
    var decoded: Int64 = 0
    var checksum = CRC32()
    func check(_ block: RawSpan) throws(DecodingFailure<E>) {
      decoded += Int64(block.byteCount)
      guard decoded <= entry.size else { throw .damaged(.longer(thanDeclared: entry.size)) }
      checksum.update(block)
      do throws(E) { try body(block) } catch { throw .body(error) }
    }
    switch entry.method {
    case .stored: try read(entry, check)
    case .deflated: try inflate(entry, check)
    }
    guard decoded == entry.size else { throw .damaged(.shorter(decoded, declared: entry.size)) }
    guard checksum.value == entry.crc32 else {
      throw .damaged(.checksum(checksum.value, declared: entry.crc32))
    }
  }

  private func read<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(DecodingFailure<E>) -> Void
  ) throws(DecodingFailure<E>) {
    var block = exchange(&block, with: [])
    defer { self.block = block }
    let longest = Int(min(entry.compressedSize, Self.blockSize))
    if block.count < longest { block = [UInt8](repeating: 0, count: longest) }
    let end = entry.dataOffset + entry.compressedSize
    var start = entry.dataOffset
    while start < end {
      let count = Int(min(Self.blockSize, end - start))
      do throws(FileFailure) {
        guard try source.read(at: start, into: &block, count: count) == count else { throw .archiveCutOff }
      } catch {
        throw .source(error)
      }
      try body(unsafe block.span.bytes.extracting(first: count))  // any UInt8 is a byte
      start += Int64(count)
    }
  }

  private func inflate<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(DecodingFailure<E>) -> Void
  ) throws(DecodingFailure<E>) {
    window.show(entry)
    do throws(DecodingFailure<E>) {
      let reader = try Self.open(window, failingAs: E.self)
      try reader.forEachBlock(body)
    } catch {
      if let failure = window.failure { throw .source(failure) }
      throw error
    }
  }

  /// A reader at the window's only entry.
  private static func open<E: Error>(
    _ window: EntryWindow, failingAs _: E.Type
  ) throws(DecodingFailure<E>) -> ZipReader {
    do throws(ArchiveFailure) {
      let reader = try ZipReader.open(window)
      _ = unsafe try reader.next()
      return reader
    } catch {
      throw .damaged(.stream(error))
    }
  }
}

/// Why an entry could not be decoded.
package enum DecodingFailure<E: Error>: Error {
  case damaged(EntryDamage)
  case source(FileFailure)
  case body(E)
}

/// What is wrong with the data of an entry.
package struct EntryDamage: Error, Sendable, Equatable {
  /// The kind of flaw: `sizeMismatch` if the data are longer or shorter than declared, `checksum` if they have
  /// another checksum or cannot be decoded at all.
  package let kind: ZipFlaw.Kind
  package let message: String

  static func longer(thanDeclared size: Int64) -> EntryDamage {
    EntryDamage(kind: .sizeMismatch, message: "the data decode to more than the \(size) bytes declared")
  }

  static func shorter(_ found: Int64, declared: Int64) -> EntryDamage {
    EntryDamage(
      kind: .sizeMismatch, message: "the data decode to \(found) bytes where \(declared) are declared")
  }

  static func checksum(_ found: UInt32, declared: UInt32) -> EntryDamage {
    let (found, declared) = (String(found, radix: 16), String(declared, radix: 16))
    return EntryDamage(
      kind: .checksum, message: "the data have the checksum 0x\(found) where 0x\(declared) is declared")
  }

  /// What libarchive could not decode: a flaw of the length if only that is wrong, else of the checksum.
  ///
  /// libarchive tells the reason only by its words (archive_read_support_format_zip.c,
  /// `archive_read_format_zip_read_data`); the number in them is zlib's, of which -5, `Z_BUF_ERROR`, means that
  /// the stream goes on where its bytes end (zlib.h).
  static func stream(_ failure: ArchiveFailure) -> EntryDamage {
    if failure.code == ARCHIVE_WARN {
      EntryDamage(
        kind: .sizeMismatch, message: "the data do not fill the bytes declared (\(failure.message))")
    } else if failure.message.hasSuffix("(-5)") {
      EntryDamage(
        kind: .sizeMismatch, message: "the deflate stream does not end within the bytes declared")
    } else {
      EntryDamage(kind: .checksum, message: "the data are no deflate stream (\(failure.message))")
    }
  }
}

import CArchive
package import SafeFiles

/// Decodes entries of an accepted archive, each one counted and held against its record.
///
/// What can be is decoded directly. The rest streams through libarchive, which also says what is wrong with a
/// deflate stream: libdeflate does not.
///
/// A decoder belongs to one thread; several may read one source.
package final class EntryDecoder {
  private var direct: DirectDecoder
  private let window: EntryWindow

  /// - Parameter source: the archive in which the entries lie.
  package init(source: some ByteSource) {
    direct = DirectDecoder(source: source)
    window = EntryWindow(on: source)
  }

  /// Streams the decoded data of `entry` into `body`, block by block, of which none is larger than 6 MiB.
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
    try forEachBlock(of: entry) { (block) throws(DecodingFailure<E>) in
      decoded += Int64(block.byteCount)
      guard decoded <= entry.size else { throw .damaged(.longer(thanDeclared: entry.size)) }
      checksum.update(block)
      do throws(E) { try body(block) } catch { throw .body(error) }
    }
    guard decoded == entry.size else { throw .damaged(.shorter(decoded, declared: entry.size)) }
    guard checksum.value == entry.crc32 else {
      throw .damaged(.checksum(checksum.value, declared: entry.crc32))
    }
  }

  private func forEachBlock<E: Error>(
    of entry: ZipEntry, _ body: (RawSpan) throws(DecodingFailure<E>) -> Void
  ) throws(DecodingFailure<E>) {
    if try direct.decode(entry, body) { return }
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

import SafeFiles
import Support

extension StructureReader {
  /// The offsets of a valid central directory header and of its entry.
  ///
  /// The rest is read again later, because the headers of all entries would take too much memory.
  struct ListedRecord {
    let offset: Int64
    /// The offset in the directory, which is smaller than 2^32 bytes.
    let position: UInt32
    let byteCount: UInt32
  }

  /// Reads the headers of the central directory.
  ///
  /// - Returns: Nil if the directory exceeds the limits.
  mutating func readDirectory(
    _ location: DirectoryLocation, _ claim: DirectoryClaim
  ) throws(SourceError) -> [ListedRecord]? {
    guard location.range.count <= ZipStructure.maximumDirectorySize else {
      findings.add(
        .directorySize,
        """
        the central directory has \(location.range.count) bytes, expected at most \
        \(ZipStructure.maximumDirectorySize)
        """)
      return nil
    }
    var records: [ListedRecord] = []
    // Reserves the maximum, because only existing records take up physical memory.
    records.reserveCapacity(
      min(ZipStructure.maximumEntryCount, location.range.count / CentralDirectoryHeader.fixedSize))
    var count = 0
    var nameBytes = 0
    var position = location.range.lowerBound
    while position < location.range.upperBound, !cancellation.isCancelled {
      guard count < ZipStructure.maximumEntryCount else {
        findings.add(.entryCount, "the archive has more than \(ZipStructure.maximumEntryCount) entries")
        return nil
      }
      guard let bytes = try readRecord(at: position, before: location.range.upperBound) else {
        isComplete = false
        return records
      }
      do throws(WideNumbers.InvalidNumbers) {
        let record = try CentralDirectoryHeader(bytes, at: position)
        report(record)
        records.append(
          ListedRecord(
            offset: record.numbers.offset,
            position: UInt32(clamping: position - location.range.lowerBound),
            byteCount: UInt32(clamping: bytes.count)))
        nameBytes += record.name.count
      } catch {
        findings.add(
          .zip64, at: CentralDirectoryHeader.path(of: CentralDirectoryHeader.name(in: bytes)), error.message)
        isComplete = false
      }
      count += 1
      position += Int64(bytes.count)
    }
    reportCount(count, claim)
    guard nameBytes <= ZipStructure.maximumTotalNameLength(for: count) else {
      findings.add(
        .nameBytes,
        "the names of \(count) entries have \(nameBytes) bytes, expected at most \(ZipStructure.maximumTotalNameLength(for: count))"
      )
      return nil
    }
    return records
  }

  /// Reads a header again. Returns nil if it is no longer valid, for example because another process writes to the
  /// file.
  mutating func read(
    _ listed: ListedRecord, of location: DirectoryLocation
  ) throws(SourceError) -> CentralDirectoryHeader? {
    let position = location.range.lowerBound + Int64(listed.position)
    guard let bytes = try records.bytes(at: position, count: Int(listed.byteCount)),
      bytes.uint32(at: 0) == CentralDirectoryHeader.signature,
      CentralDirectoryHeader.length(of: bytes) == bytes.count,
      let record = try? CentralDirectoryHeader(bytes, at: position),
      record.numbers.offset == listed.offset
    else {
      findings.add(
        .directoryRecord,
        "the central directory header at offset \(position) changed while it was read")
      isComplete = false
      return nil
    }
    return record
  }

  /// Reads the bytes of one header, if another header or the end of the directory follows it.
  private mutating func readRecord(
    at position: Int64, before limit: Int64
  ) throws(SourceError) -> ArraySlice<UInt8>? {
    guard limit - position >= Int64(CentralDirectoryHeader.fixedSize),
      let fixed = try directory.bytes(at: position, count: CentralDirectoryHeader.fixedSize),
      fixed.uint32(at: 0) == CentralDirectoryHeader.signature
    else {
      findings.add(
        .directoryRecord,
        "there is no central directory header at offset \(position), where one was expected")
      return nil
    }
    let length = CentralDirectoryHeader.length(of: fixed)
    let next = position + Int64(length)
    let isFollowed = if next < limit { try isRecord(at: next) } else { next == limit }
    guard isFollowed, let bytes = try directory.bytes(at: position, count: length) else {
      findings.add(
        .directoryRecord,
        """
        the central directory header at offset \(position) has \(length) bytes, but neither another header nor the \
        end of the directory follows it
        """)
      return nil
    }
    return bytes
  }

  /// Reports defects in a single header.
  private mutating func report(_ record: CentralDirectoryHeader) {
    let path = record.path
    if let findingMessage = record.attributes.findingMessage {
      findings.add(.directoryRecord, at: path, findingMessage)
    }
    if record.numbers.disk != 0 {
      findings.add(
        .multiDisk, at: path, "the entry is declared to be on disk \(record.numbers.disk), expected disk 0")
    }
    if record.hasComment {
      findings.add(.comment, at: path, "the entry has a comment, expected none")
    }
    if record.flags & GeneralPurposeFlags.utf8 == 0, record.name.contains(where: { $0 >= 0x80 }),
      path.string != nil
    {
      findings.add(.unflaggedName, at: path, "the name is UTF-8, but the UTF-8 flag is not set")
    }
  }

  private mutating func reportCount(_ count: Int, _ claim: DirectoryClaim) {
    if claim.hasContradictoryCounts {
      return  // reported as a contradiction of the end records
    } else if claim.entries != count {
      let isReference = !claim.isZip64 && claim.entries == UInt16.max
      findings.add(
        isReference ? .zip64 : .entryCount,
        "the end record declares \(claim.entries) entries, but the central directory has \(count)")
    } else if claim.entriesOnDisk != count {
      findings.add(
        .multiDisk,
        "the end record declares \(claim.entriesOnDisk) of \(count) entries on this disk, expected all")
    }
  }
}

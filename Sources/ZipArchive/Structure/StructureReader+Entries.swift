import SafeFiles
import Support

extension StructureReader {
  /// An entry whose local file header has been read and whose end is not known yet.
  struct OpenEntry {
    let record: CentralDirectoryHeader
    let header: LocalFileHeader
    /// The offset of the local file header.
    let start: Int64
    let agreement: HeaderAgreement
  }

  /// Reads the local file headers in the order of the file, and finds the owner of each byte before the central
  /// directory.
  mutating func readEntries(
    _ records: consuming [ListedRecord], of location: DirectoryLocation
  ) throws(SourceError) {
    var listed = records
    listed.sort { ($0.offset, $0.position) < ($1.offset, $1.position) }
    let limit = location.range.lowerBound
    entries.reserveCapacity(listed.count)
    var open: OpenEntry?
    for listed in listed {
      if cancellation.isCancelled { return }
      guard let record = try read(listed, of: location) else { continue }
      let start = record.numbers.offset + location.base
      if let open, open.start == start {
        findings.add(
          .overlap, at: record.path, "the entry has the same local header as \(open.record.path.escaped)")
        isComplete = false
        continue
      }
      guard let header = try readHeader(of: record, at: start, before: limit) else { continue }
      if let open { try close(open, before: start) }
      let agreement = HeaderAgreement(header, record)
      for finding in agreement.findings { findings.add(finding) }
      open = OpenEntry(record: record, header: header, start: start, agreement: agreement)
    }
    if let open { try close(open, before: limit) }
    if let owner = lastOwner, limit < ownedEnd {
      findings.add(
        .overlap, at: owner,
        "the data of the entry extend into the central directory at offset \(limit)")
    }
    try reportGaps(before: limit)
  }

  private mutating func readHeader(
    of record: CentralDirectoryHeader, at start: Int64, before limit: Int64
  ) throws(SourceError) -> LocalFileHeader? {
    if limit - start >= Int64(LocalFileHeader.fixedSize),
      let fixed = try headers.bytes(at: start, count: LocalFileHeader.fixedSize),
      fixed.uint32(at: 0) == LocalFileHeader.signature
    {
      let length = LocalFileHeader.length(of: fixed)
      if limit - start >= Int64(length), let bytes = try headers.bytes(at: start, count: length) {
        return LocalFileHeader(bytes, at: start)
      }
    }
    findings.add(
      .localMismatch, at: record.path,
      "there is no local header at offset \(start), as the central directory declares")
    isComplete = false
    return nil
  }

  /// Finds the end of an entry, which must be the start of the next header.
  private mutating func close(_ entry: OpenEntry, before limit: Int64) throws(SourceError) {
    let record = entry.record
    if entry.agreement.numbersAreValid { try checkFolder(entry) }
    let end = try end(of: entry, before: limit)
    claim(entry.start..<end, record.path)
    guard let method = ZipEntry.Method(rawValue: record.method) else { return }
    entries.append(
      ZipEntry(
        path: record.path, kind: record.attributes.kind, method: method, crc32: record.crc32,
        compressedSize: record.numbers.compressedSize, size: record.numbers.size,
        permissions: record.attributes.permissions, localHeaderOffset: entry.start,
        dataOffset: entry.header.dataOffset, endOffset: end, centralDirectoryHeader: record.position,
        offsetField: record.offsetField))
    otherPathBytes += record.path.count
    if otherPathBytes >= PathList.joinedBytes { joinPaths() }
  }

  private mutating func joinPaths() {
    let joined = EntryPath.joined(entries[joinedEntries...].map(\.path))
    for (index, path) in zip(joinedEntries..., joined) { entries[index].path = path }
    (joinedEntries, otherPathBytes) = (entries.count, 0)
  }

  /// Finds the end of an entry's data, or of the data descriptor after them.
  ///
  /// - Returns: The end; if it is unknown, `limit`, and a finding has been added.
  private mutating func end(of entry: OpenEntry, before limit: Int64) throws(SourceError) -> Int64 {
    guard entry.agreement.extentIsKnown else { return limit }
    let dataEnd = entry.header.dataOffset + entry.record.numbers.compressedSize
    guard entry.agreement.mayHaveDescriptor, dataEnd <= limit else { return dataEnd }
    if let length = try descriptorLength(of: entry, at: dataEnd, before: limit) { return dataEnd + length }
    if entry.agreement.needsDescriptor, entry.agreement.numbersAreValid {
      findings.add(
        .descriptor, at: entry.record.path,
        "the \(limit - dataEnd) bytes after the data are not a data descriptor with the numbers of the central directory"
      )
    }
    return limit
  }

  private mutating func descriptorLength(
    of entry: OpenEntry, at position: Int64, before limit: Int64
  ) throws(SourceError) -> Int64? {
    let descriptor = DataDescriptor(
      crc32: entry.record.crc32, compressedSize: entry.record.numbers.compressedSize,
      size: entry.record.numbers.size)
    let room = Int(min(limit - position, Int64(DataDescriptor.maximumLength)))
    return try headers.bytes(at: position, count: room).flatMap(descriptor.length(atStartOf:)).map(Int64.init)
  }

  /// Reports a folder whose deflated data are not the shortest empty stream: 2 bytes, one empty final block with fixed
  /// codes (RFC 1951, 3.2.6). Java's writers produce that stream.
  private mutating func checkFolder(_ entry: OpenEntry) throws(SourceError) {
    let count = entry.record.numbers.compressedSize
    guard entry.record.isFolder, count != 0 else { return }
    if count == 2, try headers.bytes(at: entry.header.dataOffset, count: 2)?.elementsEqual([3, 0]) == true {
      return
    }
    findings.add(.sizeMismatch, at: entry.record.path, "the folder has \(count) bytes of data, expected none")
  }

  private mutating func claim(_ range: Range<Int64>, _ path: EntryPath) {
    if range.lowerBound > ownedEnd {
      gaps.append(ownedEnd..<range.lowerBound)
    } else if range.lowerBound < ownedEnd, let owner = lastOwner {
      findings.add(
        .overlap, at: path, "the entry starts at offset \(range.lowerBound), inside \(owner.escaped)")
    }
    if range.upperBound > ownedEnd {
      ownedEnd = range.upperBound
      lastOwner = path
    }
  }

  /// Reports the bytes before the central directory that belong to no entry, unless their owner is unknown.
  private mutating func reportGaps(before limit: Int64) throws(SourceError) {
    if ownedEnd < limit { gaps.append(ownedEnd..<limit) }
    guard isComplete else { return }
    for gap in gaps {
      let bytes = "\(gap.count) bytes at offset \(gap.lowerBound)"
      let signature = try headers.uint32(at: gap.lowerBound)
      let end = try headers.uint32(at: gap.upperBound - Int64(EndOfCentralDirectory.fixedSize))
      if gap.lowerBound == 0, signature == DataDescriptor.signature || signature == Signature.singleSegment {
        findings.add(.multiDisk, "the file starts with the signature of an archive for several disks")
      } else if end == EndOfCentralDirectory.signature {
        findings.add(
          .endRecord, "\(bytes) end in another end record, expected only one at the end of the file")
      } else if signature == LocalFileHeader.signature {
        findings.add(.gap, "\(bytes) start like an entry that the central directory does not list")
      } else {
        findings.add(.gap, "\(bytes) belong to no entry")
      }
    }
  }
}

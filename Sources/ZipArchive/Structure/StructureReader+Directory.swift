import SafeFiles
import Support

extension StructureReader {
  /// Finds the central directory, which must start at the offset in the end of central directory record and end at the
  /// start of that record.
  ///
  /// - Returns: Nil if there is no central directory.
  mutating func locateDirectory(_ claim: DirectoryClaim) throws(SourceError) -> DirectoryLocation? {
    let location = try findDirectory(claim)
    if let location, let located = claim.declaredRecordOffset, located != claim.limit - location.base {
      findings.add(
        .zip64,
        "the ZIP64 locator points at offset \(located), but the ZIP64 end record is at \(claim.limit)")
    }
    return location
  }

  private mutating func findDirectory(_ claim: DirectoryClaim) throws(SourceError) -> DirectoryLocation? {
    let limit = claim.limit
    let stated = claim.offset <= UInt64(limit) ? Int64(claim.offset) : nil
    let derived = claim.size <= UInt64(limit) ? limit - Int64(claim.size) : nil
    if let stated, stated == derived { return DirectoryLocation(range: stated..<limit, base: 0) }

    if let stated, let derived, try isDirectory(derived, limit, shiftedBy: derived - stated) {
      return DirectoryLocation(range: derived..<limit, base: derived - stated)  // the prefix will be reported
    }
    if let stated, try isRecord(at: stated) {
      let end = try endOfRecords(from: stated, to: limit)
      if claim.size == UInt64(end - stated) {
        try reportGap(afterDirectory: end..<limit)
      } else {
        findings.add(
          .directorySize,
          "the end record declares \(claim.size) bytes of central directory, but there are \(end - stated)")
      }
      return DirectoryLocation(range: stated..<end, base: 0)
    }
    if claim.size == 0, claim.entries == 0 {
      return DirectoryLocation(range: limit..<limit, base: 0)  // bytes before it will be reported
    }
    let isFound = if let derived { try isRecord(at: derived) } else { false }
    findings.add(
      .directorySize,
      """
      the end record declares a central directory of \(claim.size) bytes at offset \(claim.offset), but there \
      is none that ends at offset \(limit)
      """)
    return isFound ? derived.map { DirectoryLocation(range: $0..<limit, base: 0) } : nil
  }

  /// Returns whether a complete directory begins at `start`, and its first offset plus `base` points to a local file
  /// header.
  private mutating func isDirectory(
    _ start: Int64, _ limit: Int64, shiftedBy base: Int64
  ) throws(SourceError) -> Bool {
    guard base > 0, let fixed = try directory.bytes(at: start, count: CentralDirectoryHeader.fixedSize),
      fixed.uint32(at: 0) == CentralDirectoryHeader.signature
    else { return false }
    let header = base + Int64(fixed.uint32(at: 42))
    guard try headers.uint32(at: header) == LocalFileHeader.signature else { return false }
    return try endOfRecords(from: start, to: limit) == limit
  }

  mutating func isRecord(at position: Int64) throws(SourceError) -> Bool {
    try directory.uint32(at: position) == CentralDirectoryHeader.signature
  }

  /// Returns the end of the consecutive headers that begin at `start`.
  private mutating func endOfRecords(from start: Int64, to limit: Int64) throws(SourceError) -> Int64 {
    var position = start
    while !cancellation.isCancelled,
      let fixed = try directory.bytes(at: position, count: CentralDirectoryHeader.fixedSize),
      fixed.uint32(at: 0) == CentralDirectoryHeader.signature
    {
      let next = position + Int64(CentralDirectoryHeader.length(of: fixed))
      guard next <= limit else { break }
      position = next
    }
    return position
  }

  private mutating func reportGap(afterDirectory gap: Range<Int64>) throws(SourceError) {
    switch try directory.uint32(at: gap.lowerBound) {
    case Zip64EndOfCentralDirectory.signature:
      findings.add(.zip64, "the ZIP64 end record at offset \(gap.lowerBound) has no locator")
    case EndOfCentralDirectory.signature:
      findings.add(.endRecord, "there is another end record at offset \(gap.lowerBound), expected only one")
    default:
      findings.add(.gap, "there are \(gap.count) bytes between the central directory and the end record")
    }
  }
}

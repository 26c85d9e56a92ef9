import SafeFiles

extension StructureReader {
  /// Finds the central directory, which has to begin where the end record says and to end where that begins.
  ///
  /// - Returns: nil if there is no directory to be found.
  mutating func locateDirectory(_ claim: DirectoryClaim) throws(FileFailure) -> DirectoryPlace? {
    let place = try placeOfDirectory(claim)
    if let place, let located = claim.locatedAt, located != claim.limit - place.base {
      flaws.add(
        .zip64,
        "the ZIP64 locator points at offset \(located), but the ZIP64 end record stands at \(claim.limit)")
    }
    return place
  }

  private mutating func placeOfDirectory(_ claim: DirectoryClaim) throws(FileFailure) -> DirectoryPlace? {
    let limit = claim.limit
    let stated = claim.offset <= UInt64(limit) ? Int64(claim.offset) : nil
    let derived = claim.size <= UInt64(limit) ? limit - Int64(claim.size) : nil
    if let stated, stated == derived { return DirectoryPlace(range: stated..<limit, base: 0) }

    if let stated, let derived, try isDirectory(derived, limit, shiftedBy: derived - stated) {
      return DirectoryPlace(range: derived..<limit, base: derived - stated)  // the prefix will be reported
    }
    if let stated, try isRecord(at: stated) {
      let end = try endOfRecords(from: stated, to: limit)
      if claim.size == UInt64(end - stated) {
        try reportGap(behindDirectory: end..<limit)
      } else {
        flaws.add(
          .directorySize,
          "the end record gives the central directory \(claim.size) bytes, but it has \(end - stated)")
      }
      return DirectoryPlace(range: stated..<end, base: 0)
    }
    if claim.size == 0, claim.entries == 0 {
      return DirectoryPlace(range: limit..<limit, base: 0)  // whatever stands before it will be reported
    }
    let isFound = if let derived { try isRecord(at: derived) } else { false }
    flaws.add(
      .directorySize,
      """
      the end record places a central directory of \(claim.size) bytes at offset \(claim.offset), but there \
      is none that ends at \(limit)
      """)
    return isFound ? derived.map { DirectoryPlace(range: $0..<limit, base: 0) } : nil
  }

  /// Whether a whole directory stands there, of which the offsets have to be shifted to lead to local headers.
  private mutating func isDirectory(
    _ start: Int64, _ limit: Int64, shiftedBy base: Int64
  ) throws(FileFailure) -> Bool {
    guard base > 0, let fixed = try directory.bytes(at: start, count: CentralRecord.fixedSize),
      fixed.uint32(at: 0) == CentralRecord.signature
    else { return false }
    let header = base + Int64(fixed.uint32(at: 42))
    guard try headers.uint32(at: header) == LocalHeader.signature else { return false }
    return try endOfRecords(from: start, to: limit) == limit
  }

  mutating func isRecord(at position: Int64) throws(FileFailure) -> Bool {
    try directory.uint32(at: position) == CentralRecord.signature
  }

  /// Where the records end that stand one behind the other from `start` on.
  private mutating func endOfRecords(from start: Int64, to limit: Int64) throws(FileFailure) -> Int64 {
    var position = start
    while let fixed = try directory.bytes(at: position, count: CentralRecord.fixedSize),
      fixed.uint32(at: 0) == CentralRecord.signature
    {
      let next = position + Int64(CentralRecord.length(of: fixed))
      guard next <= limit else { break }
      position = next
    }
    return position
  }

  private mutating func reportGap(behindDirectory gap: Range<Int64>) throws(FileFailure) {
    switch try directory.uint32(at: gap.lowerBound) {
    case Zip64EndRecord.signature:
      flaws.add(.zip64, "there is a ZIP64 end record at offset \(gap.lowerBound) without a locator of it")
    case EndRecord.signature:
      flaws.add(.endRecord, "there is another end record at offset \(gap.lowerBound), expected only one")
    default:
      flaws.add(.gap, "\(gap.count) bytes stand between the central directory and the end record")
    }
  }
}

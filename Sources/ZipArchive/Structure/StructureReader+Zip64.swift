import SafeFiles

extension StructureReader {
  /// Returns the position and size of the central directory according to the end record and the ZIP64 record, if any.
  ///
  /// - Returns: Nil if the position of the central directory remains unknown.
  mutating func readClaim(of end: EndOfCentralDirectory) throws(SourceError) -> DirectoryClaim? {
    let locatorPosition = end.position - Int64(Zip64Locator.fixedSize)
    guard let bytes = try directory.bytes(at: locatorPosition, count: Zip64Locator.fixedSize),
      bytes.uint32(at: 0) == Zip64Locator.signature
    else {
      guard end.directorySize != .max, end.directoryOffset != .max else {
        findings.add(.zip64, "the end record refers to a ZIP64 end record, but there is no locator")
        return nil
      }
      return DirectoryClaim(end)
    }
    let locator = Zip64Locator(bytes)
    if locator.disk != 0 || locator.disks != 1 {
      findings.add(
        .multiDisk,
        "the ZIP64 locator names disk \(locator.disk) of \(locator.disks), expected disk 0 of 1")
    }
    guard let record = try findZip64EndRecord(locator, before: locatorPosition) else { return nil }
    return reconcile(record, located: locator, with: end)
  }

  /// Finds the ZIP64 end of central directory record directly before its locator, or else at the locator's offset.
  private mutating func findZip64EndRecord(
    _ locator: Zip64Locator, before locatorPosition: Int64
  ) throws(SourceError) -> Zip64EndOfCentralDirectory? {
    let adjacent = locatorPosition - Int64(Zip64EndOfCentralDirectory.fixedSize)
    for position in [adjacent, Int64(exactly: locator.recordOffset) ?? -1] where position <= adjacent {
      guard let bytes = try directory.bytes(at: position, count: Zip64EndOfCentralDirectory.fixedSize),
        bytes.uint32(at: 0) == Zip64EndOfCentralDirectory.signature
      else { continue }
      let record = Zip64EndOfCentralDirectory(bytes, at: position)
      if record.sizeField != Zip64EndOfCentralDirectory.sizeFieldValue {
        findings.add(
          .zip64,
          """
          the ZIP64 end record declares its size as \(record.sizeField), expected \
          \(Zip64EndOfCentralDirectory.sizeFieldValue)
          """)
      } else if position != adjacent {
        findings.add(
          .zip64,
          "there are \(adjacent - position) bytes between the ZIP64 end record and its locator")
      }
      return record
    }
    findings.add(
      .zip64,
      "there is no ZIP64 end record at offset \(locator.recordOffset), as its locator declares")
    return nil
  }

  private mutating func reconcile(
    _ record: Zip64EndOfCentralDirectory, located locator: Zip64Locator, with end: EndOfCentralDirectory
  ) -> DirectoryClaim {
    for number in [record.disk, record.directoryDisk] where number != 0 {
      findings.add(.multiDisk, "the ZIP64 end record names disk \(number), expected only disk 0")
      break
    }
    let contradictions = record.contradictions(to: end)
    if !contradictions.isEmpty {
      findings.add(
        .zip64,
        "the end record and the ZIP64 end record differ in: "
          + contradictions.map(\.rawValue).joined(separator: ", "))
    }
    var claim = DirectoryClaim(record)
    if !claim.isConsistent {
      // The contradiction has been reported. Continue with the numbers that fit.
      var other = claim
      if end.directorySize != .max { other.size = UInt64(end.directorySize) }
      if end.directoryOffset != .max { other.offset = UInt64(end.directoryOffset) }
      if other.isConsistent { claim = other }
    }
    claim.hasContradictoryCounts = contradictions.contains { $0 == .entries || $0 == .entriesOnDisk }
    claim.declaredRecordOffset = locator.recordOffset
    return claim
  }
}

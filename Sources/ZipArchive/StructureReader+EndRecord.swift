import SafeFiles

extension StructureReader {
  /// Finds the one end record, which has to be the last thing in the file.
  ///
  /// - Returns: nil if it cannot be told which end record counts.
  mutating func findEndRecord() throws(FileFailure) -> EndRecord? {
    let reach = min(source.byteCount, Int64(EndRecord.fixedSize + EndRecord.longestComment))
    let tailStart = source.byteCount - reach
    let tail = try source.bytes(at: tailStart, count: Int(reach))[...]
    let signatures = tail.signatures { $0 == EndRecord.signature }
    let records = signatures.filter { $0 + EndRecord.fixedSize <= tail.count }.map {
      EndRecord(tail.bytes(at: $0, count: EndRecord.fixedSize), at: tailStart + Int64($0))
    }
    let fitting = records.filter { $0.end == source.byteCount }
    guard let last = records.last else {
      try reportMissingEndRecord(isCut: !signatures.isEmpty)
      return nil
    }
    guard fitting.count < 2 else {
      flaws.add(.endRecord, "\(fitting.count) end records claim the end of the file, expected one")
      return nil
    }
    guard let record = fitting.first else { return reportMisplaced(last) }
    reportDisks(record.disk, record.directoryDisk)
    reportComment(tail.suffix(Int(record.commentLength)))
    return record
  }

  private mutating func reportMissingEndRecord(isCut: Bool) throws(FileFailure) {
    let magic = try source.bytes(at: 0, count: 4)[...]
    if isCut {
      flaws.add(.truncated, "the file ends inside of its end record")
    } else if source.byteCount == 0 {
      flaws.add(.notAZip, "the file is empty")
    } else if magic.count == 4, Signature.all.contains(magic.uint32(at: 0)) {
      flaws.add(.truncated, "the file begins like a ZIP archive, but has no end record at its end")
    } else {
      flaws.add(.notAZip, "the file has no end record at its end and does not begin like a ZIP archive")
    }
  }

  /// Reports the last end record, of which the comment does not end where the file ends.
  ///
  /// - Returns: the record, if it lies where it belongs otherwise.
  private mutating func reportMisplaced(_ record: EndRecord) -> EndRecord? {
    let following = source.byteCount - record.position - Int64(EndRecord.fixedSize)
    flaws.add(
      .endRecord,
      "the end record announces a comment of \(record.commentLength) bytes, but \(following) bytes follow it")
    guard record.isPrecededByDirectory || record.directoryOffset == .max else { return nil }
    reportDisks(record.disk, record.directoryDisk)
    return record
  }

  private mutating func reportComment(_ comment: ArraySlice<UInt8>) {
    if !comment.signatures(where: Signature.all.contains).isEmpty {
      flaws.add(.endRecord, "the archive comment holds the signature of a ZIP record")
    } else if comment.count > ZipStructure.longestComment {
      flaws.add(
        .endRecord,
        "an archive comment of \(comment.count) bytes, expected at most \(ZipStructure.longestComment)")
    } else if !comment.isEmpty {
      flaws.add(.comment, "the archive has a comment of \(comment.count) bytes, expected none")
    }
  }

  /// Reports the disks of an end record that are not the first; all bits set refer to the ZIP64 record.
  private mutating func reportDisks(_ disk: UInt16, _ directoryDisk: UInt16) {
    for number in [disk, directoryDisk] where number != 0 && number != .max {
      flaws.add(.multiDisk, "the end record names disk \(number), expected only disk 0")
      return
    }
  }
}

/// What the records of a ZIP archive begin with.
enum Signature {
  static let all: Set<UInt32> = [
    LocalHeader.signature, DataDescriptor.signature, CentralRecord.signature, Zip64EndRecord.signature,
    Zip64Locator.signature, EndRecord.signature,
  ]
  /// What stands before an archive in pieces that turned out to need only one (APPNOTE 8.5.4).
  static let singleSegment: UInt32 = 0x3030_4B50
}

extension ArraySlice<UInt8> {
  /// Where in the slice signatures begin that are wanted, counted from its first byte.
  func signatures(where isWanted: (UInt32) -> Bool) -> [Int] {
    guard count >= 4 else { return [] }
    return (0...count - 4).filter {
      self[startIndex + $0] == UInt8(ascii: "P") && isWanted(uint32(at: $0))
    }
  }
}

import SafeFiles

extension StructureReader {
  /// Finds the only end of central directory record, which must end at the end of the file.
  ///
  /// - Returns: Nil if the record is missing or ambiguous.
  mutating func findEndRecord() throws(SourceError) -> EndOfCentralDirectory? {
    let reach = min(
      source.byteCount, Int64(EndOfCentralDirectory.fixedSize + EndOfCentralDirectory.maximumCommentLength))
    let tailStart = source.byteCount - reach
    let tail = try source.bytes(at: tailStart, count: Int(reach))[...]
    let signatures = tail.signatures { $0 == EndOfCentralDirectory.signature }
    let records = signatures.filter { $0 + EndOfCentralDirectory.fixedSize <= tail.count }.map {
      EndOfCentralDirectory(
        tail.bytes(at: $0, count: EndOfCentralDirectory.fixedSize), at: tailStart + Int64($0))
    }
    let fitting = records.filter { $0.end == source.byteCount }
    guard let last = records.last else {
      try reportMissingEndRecord(isCut: !signatures.isEmpty)
      return nil
    }
    guard fitting.count < 2 else {
      findings.add(.endRecord, "\(fitting.count) end records end where the file ends, expected one")
      return nil
    }
    guard let record = fitting.first else { return reportMisplaced(last) }
    reportDisks(record.disk, record.directoryDisk)
    reportComment(tail.suffix(Int(record.commentLength)))
    return record
  }

  private mutating func reportMissingEndRecord(isCut: Bool) throws(SourceError) {
    let magic = try source.bytes(at: 0, count: 4)[...]
    if isCut {
      findings.add(.truncated, "the file ends inside its end record")
    } else if source.byteCount == 0 {
      findings.add(.notAZip, "the file is empty")
    } else if magic.count == 4, Signature.all.contains(magic.uint32(at: 0)) {
      findings.add(.truncated, "the file starts like a ZIP archive, but has no end record at its end")
    } else {
      findings.add(.notAZip, "the file has no end record at its end and does not start like a ZIP archive")
    }
  }

  /// Reports the last end of central directory record, whose comment does not end where the file ends.
  ///
  /// - Returns: The record, if its position is otherwise valid.
  private mutating func reportMisplaced(_ record: EndOfCentralDirectory) -> EndOfCentralDirectory? {
    let following = source.byteCount - record.position - Int64(EndOfCentralDirectory.fixedSize)
    findings.add(
      .endRecord,
      "the end record declares a comment of \(record.commentLength) bytes, but \(following) bytes follow it")
    guard record.isPrecededByDirectory || record.directoryOffset == .max else { return nil }
    reportDisks(record.disk, record.directoryDisk)
    return record
  }

  private mutating func reportComment(_ comment: ArraySlice<UInt8>) {
    if !comment.signatures(where: Signature.all.contains).isEmpty {
      findings.add(.endRecord, "the archive comment has the signature of a ZIP record")
    } else if comment.count > ZipStructure.maximumCommentLength {
      findings.add(
        .endRecord,
        "the archive comment has \(comment.count) bytes, expected at most \(ZipStructure.maximumCommentLength)"
      )
    } else if !comment.isEmpty {
      findings.add(.comment, "the archive has a comment of \(comment.count) bytes, expected none")
    }
  }

  /// Reports disk numbers other than that of the first disk. If all bits are set, the number is in the ZIP64 record.
  private mutating func reportDisks(_ disk: UInt16, _ directoryDisk: UInt16) {
    for number in [disk, directoryDisk] where number != 0 && number != .max {
      findings.add(.multiDisk, "the end record names disk \(number), expected only disk 0")
      return
    }
  }
}

/// The signatures of the records of a ZIP archive.
enum Signature {
  static let all: Set<UInt32> = [
    LocalFileHeader.signature, DataDescriptor.signature, CentralDirectoryHeader.signature,
    Zip64EndOfCentralDirectory.signature,
    Zip64Locator.signature, EndOfCentralDirectory.signature,
  ]
  /// The first bytes of an archive for several disks that needed only one (APPNOTE 8.5.4).
  static let singleSegment: UInt32 = 0x3030_4B50
}

extension ArraySlice<UInt8> {
  /// Returns the offsets of the signatures that `isWanted` accepts, relative to the start of the slice.
  func signatures(where isWanted: (UInt32) -> Bool) -> [Int] {
    guard count >= 4 else { return [] }
    return (0...count - 4).filter {
      self[startIndex + $0] == UInt8(ascii: "P") && isWanted(uint32(at: $0))
    }
  }
}

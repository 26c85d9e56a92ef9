/// Compares a local file header with its central directory header, and checks the fields of both.
struct HeaderAgreement {
  private(set) var findings: [ZipFinding] = []
  /// Whether the end of the entry's data is known, because the headers agree on the fields that determine it.
  private(set) var extentIsKnown = true
  /// Whether no defect was found in the sizes and checksum.
  private(set) var numbersAreValid = true
  /// Whether at least one header declares a data descriptor.
  let mayHaveDescriptor: Bool
  /// Whether both headers declare a data descriptor.
  let needsDescriptor: Bool

  init(_ header: LocalFileHeader, _ record: CentralDirectoryHeader) {
    mayHaveDescriptor = (header.flags | record.flags) & GeneralPurposeFlags.descriptor != 0
    needsDescriptor = header.flags & record.flags & GeneralPurposeFlags.descriptor != 0
    let path = record.path
    if Self.isEncrypted(header, record) {
      findings.append(ZipFinding(.encrypted, at: path, "the entry is encrypted"))
      numbersAreValid = false
      extentIsKnown = false
      return  // the headers of an encrypted entry may be masked
    }
    compareFlags(header, record, path)
    compareMethods(header, record, path)
    compareNames(header, record, path)
    compareExtraFields(header, record, path)
    compareNumbers(header, record, path)
    if numbersAreValid, let method = ZipEntry.Method(rawValue: record.method) {
      checkNumbers(record, method, path)
    }
  }

  private mutating func add(_ kind: ZipFinding.Kind, _ path: EntryPath, _ message: String) {
    findings.append(ZipFinding(kind, at: path, message))
  }

  private static func isEncrypted(_ header: LocalFileHeader, _ record: CentralDirectoryHeader) -> Bool {
    (header.flags | record.flags) & GeneralPurposeFlags.encryption != 0
      || header.extra.declaresEncryption || record.extra.declaresEncryption
  }

  private mutating func compareFlags(
    _ header: LocalFileHeader, _ record: CentralDirectoryHeader, _ path: EntryPath
  ) {
    let surplus = (header.flags | record.flags) & ~GeneralPurposeFlags.allowed
    if surplus != 0 {
      add(.flags, path, "the flags \(hexadecimal(surplus)) are set, expected them to be clear")
    }
    let difference = (header.flags ^ record.flags) & GeneralPurposeFlags.allowed
    if difference != 0 {
      add(
        .localMismatch, path,
        "the local header has the flags \(hexadecimal(header.flags)), expected \(hexadecimal(record.flags))")
    }
  }

  private mutating func compareMethods(
    _ header: LocalFileHeader, _ record: CentralDirectoryHeader, _ path: EntryPath
  ) {
    if ZipEntry.Method(rawValue: record.method) == nil {
      add(.method, path, "the compression method is \(record.method), expected 0 (stored) or 8 (deflated)")
    } else if header.method != record.method {
      add(
        .localMismatch, path,
        "the local header has the compression method \(header.method), expected \(record.method)")
    }
  }

  private mutating func compareNames(
    _ header: LocalFileHeader, _ record: CentralDirectoryHeader, _ path: EntryPath
  ) {
    guard header.name != record.name else { return }
    add(
      .localMismatch, path,
      """
      the local header has the name \(EntryPath(bytes: header.name).escaped), expected \
      \(EntryPath(bytes: record.name).escaped)
      """)
    if header.name.count != record.name.count { extentIsKnown = false }
  }

  private mutating func compareExtraFields(
    _ header: LocalFileHeader, _ record: CentralDirectoryHeader, _ path: EntryPath
  ) {
    if let findingMessage = record.extra.findingMessage {
      add(.extraField, path, findingMessage)
    } else if let findingMessage = header.extra.findingMessage {
      guard extentIsKnown else { return }  // the name's length is wrong, so these are not its extra fields
      add(.extraField, path, findingMessage)
      extentIsKnown = false
    } else if let findingMessage = record.extra.findingAboutUnicodePath(of: record.name) {
      add(.extraField, path, findingMessage)
    } else if header.extra.unicodePaths != record.extra.unicodePaths, header.name == record.name {
      add(.extraField, path, "the extra field 0x7075 (Unicode path) differs between the headers")
    } else if header.extra.contradicts(record.attributes.kind)
      || record.extra.contradicts(record.attributes.kind)
    {
      add(.extraField, path, "the extra field 0x756E (ASi Unix) changes the kind of the entry")
    } else if !header.extra.segmentTables.isEmpty {
      add(
        .extraField, path,
        "the extra field 0x6B69 (segments) is in the local header, expected it only in the central one")
    } else {
      do throws(SegmentTable.InvalidField) { _ = try record.segments() } catch {
        add(.extraField, path, "the extra field 0x6B69 (segments) " + error.message)
      }
    }
  }

  private mutating func compareNumbers(
    _ header: LocalFileHeader, _ record: CentralDirectoryHeader, _ path: EntryPath
  ) {
    guard extentIsKnown else {
      numbersAreValid = false
      return
    }
    let local: WideNumbers
    do throws(WideNumbers.InvalidNumbers) {
      local = try WideNumbers(size: header.size, compressedSize: header.compressedSize, extra: header.extra)
    } catch {
      add(.zip64, path, "in the local header " + error.message)
      numbersAreValid = false
      extentIsKnown = false
      return
    }
    // With a data descriptor, each number may be 0 in the local file header (APPNOTE 4.4.4). libarchive sets some of
    // them.
    func differs(_ found: some BinaryInteger, _ expected: some BinaryInteger) -> Bool {
      found != expected && !(mayHaveDescriptor && found == 0)
    }
    let numbers = record.numbers
    var differences: [String] = []
    if differs(header.crc32, record.crc32) {
      differences.append("checksum \(hexadecimal(header.crc32)), expected \(hexadecimal(record.crc32))")
    }
    if differs(local.compressedSize, numbers.compressedSize) {
      differences.append("compressed size \(local.compressedSize), expected \(numbers.compressedSize)")
      extentIsKnown = false
    }
    if differs(local.size, numbers.size) {
      differences.append("size \(local.size), expected \(numbers.size)")
    }
    guard !differences.isEmpty else { return }
    add(.localMismatch, path, "the local header has the " + differences.joined(separator: ", the "))
    numbersAreValid = false
  }

  private mutating func checkNumbers(
    _ record: CentralDirectoryHeader, _ method: ZipEntry.Method, _ path: EntryPath
  ) {
    let (size, compressedSize) = (record.numbers.size, record.numbers.compressedSize)
    if record.isFolder, size != 0 || (method == .stored && compressedSize != 0) {
      add(.sizeMismatch, path, "the folder has \(max(size, compressedSize)) bytes of data, expected none")
    } else if method == .deflated, compressedSize == 0, !record.isFolder {
      // RFC 1951, 3.2.3 and 3.2.6.
      add(
        .sizeMismatch, path,
        "there are no deflated data for \(size) bytes, expected at least the 2 bytes of an empty stream")
      if size != 0 { extentIsKnown = false }
    } else if method == .stored, size != compressedSize {
      add(.sizeMismatch, path, "\(compressedSize) bytes of stored data cannot hold \(size) bytes")
      extentIsKnown = false
    } else if compressedSize == 0, record.crc32 != 0 {
      add(
        .checksum, path,
        "there are no data, but the checksum is \(hexadecimal(record.crc32)), expected 0x00000000")
    } else {
      return
    }
    numbersAreValid = false
  }
}

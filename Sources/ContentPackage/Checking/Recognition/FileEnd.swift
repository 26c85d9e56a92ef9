import Support
import ZipArchive

/// Formats that are recognized by the end of a file, whatever its start.
enum FileEnd {
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let end = file.end.borrowedSpan
    let count = end.count
    // Apple's disk images: UDIFResourceFile, 512 bytes of trailer with version 4 (magic file `apple`, "koly").
    if end.has("koly\0\0\0\u{4}", at: count - 512) { return .archive("an Apple disk image") }
    // Microsoft's Virtual Hard Disk Image Format Specification, "Hard Disk Footer Format".
    if end.has("conectix", at: count - 512) { return .archive("a disk image (VHD)") }
    // OCaml's caml/exec.h: EXEC_MAGIC, "Caml1999X" and three digits, at the end of a bytecode program.
    if end.has("Caml1999X", at: count - 12), end.all(count - 3..<count, \.isDigit) {
      return .possibleCode("an OCaml bytecode program")
    }
    // PHP manual, Phar file format: flags of the signature, then GBMB.
    if end.has("GBMB", at: count - 4), let flags = end.uint32(at: count - 8, .little),
      (1...0x14).contains(flags)
    {
      return .possibleCode("a PHP archive")
    }
    // Godot's file_access_pack.cpp: a pack after a program ends with its size and its magic number.
    if end.has("GDPC", at: count - 4), let size = end.number(at: count - 12, bytes: 8, .little),
      size <= file.size
    {
      return .archive("a Godot pack")
    }
    return archiveEnds(file).isEmpty ? nil : Recognition(.zip, "a ZIP archive after other data")
  }

  /// Returns the positions after the end records of ZIP archives, before their comments (APPNOTE 4.3.16): the last record
  /// in the file, which most programs use, and the last record whose comment ends with the file, as Java requires. If
  /// these are the same record, returns one position.
  static func archiveEnds(_ file: FileExcerpt) -> [Int64] {
    let end = file.end.borrowedSpan
    var (last, lastWithComment): (Int64?, Int64?)
    var start = 0
    while let record = end.firstRange(of: "PK\u{5}\u{6}", anchor: 3, from: start) {
      start = record.upperBound
      let position = file.size - Int64(end.count - record.lowerBound)
      guard let entries = end.uint16(at: record.lowerBound + 10, .little), entries > 0,
        let directory = end.uint32(at: record.lowerBound + 12, .little),
        let comment = end.uint16(at: record.lowerBound + 20, .little)
      else { continue }
      // If all bits are set, the number is in a ZIP64 record.
      let isZIP64 = directory == .max || entries == 0xFFFF
      guard
        isZIP64
          || Int64(directory) <= position && Int(directory) >= entries * CentralDirectoryHeader.fixedSize
      else { continue }
      last = position + Int64(endRecordLength)
      if position + Int64(endRecordLength + comment) == file.size { lastWithComment = last }
    }
    return last == lastWithComment ? [last].compactMap(\.self) : [last, lastWithComment].compactMap(\.self)
  }

  /// The length of the end record without its comment, in bytes.
  private static let endRecordLength = EndOfCentralDirectory.fixedSize
  /// The number of bytes read at the end of a file: an end record with a comment of maximum length.
  static let length = endRecordLength + 0xFFFF
}

extension Rule {
  /// The rules on the structure of the archive, in report order. The array must have every rule declared below.
  static let archiveRules: [Rule] = [
    archiveNotAZip, archiveTruncated, archiveEndRecord, archiveEntryCount, archiveDirectorySize,
    archiveDirectoryRecord, archiveZip64, archiveMultiDisk, archiveLocalMismatch, archiveOverlap, archiveGap,
    archiveMethod, archiveEncrypted, archiveFlags, archiveDescriptor, archiveSizeMismatch, archiveChecksum,
    archiveExtraField, archiveComment, archiveUnflaggedName,
  ]

  public static let archiveNotAZip = Rule(
    "archive/not-a-zip", .error,
    "the file is not a ZIP archive",
    cause: "the last 64 KiB of the file have no end of central directory record",
    importance: "stores and apps cannot open the file at all",
    remedy: "build the package with iapkg create",
    example: "a folder, a xar archive from Xcode, or an error page that was saved as Book.pkg")

  public static let archiveTruncated = Rule(
    "archive/truncated", .error,
    "the archive ends before the last byte that its records declare",
    cause: "the file was cut off while it was written or transferred",
    importance: "content is missing or cut off on the device",
    remedy: "transfer the package again, or build it again",
    example: "an upload that was interrupted after 3 of 5 MB")

  public static let archiveEndRecord = Rule(
    "archive/end-record", .error,
    "the end of central directory record is not the end of the file, or not the only one",
    cause: "bytes follow the record, its comment length is wrong, or the file has a second record",
    importance: "two readers may use two different central directories",
    remedy: "build the package again",
    example: "cat Book.pkg other.zip > Both.pkg")

  public static let archiveEntryCount = Rule(
    "archive/entry-count", .error,
    "the end of central directory record declares a wrong number of entries",
    cause: "a faulty tool wrote the number, or the archive was edited later",
    importance: "readers that trust the number see other files than readers that count",
    remedy: "build the package again",
    example: "a record that declares 3 entries for a central directory of 4 entries")

  public static let archiveDirectorySize = Rule(
    "archive/directory-size", .error,
    "the end of central directory record declares a wrong offset or size",
    cause: "the declared offset and size do not lead from the start of the central directory to its end",
    importance: "readers that search for the central directory may find another one",
    remedy: "build the package again",
    example: "a self-extracting archive, which starts with a program")

  public static let archiveDirectoryRecord = Rule(
    "archive/directory-record", .error,
    "a central directory header is malformed",
    cause: "a signature, length or number in the header is impossible",
    importance: "libarchive shows an empty archive and reports success",
    remedy: "build the package again",
    example: "a header with a name that would reach beyond the central directory")

  public static let archiveZip64 = Rule(
    "archive/zip64", .error,
    "ZIP64 records are missing, malformed or contradictory",
    cause: "a field refers to a ZIP64 record that does not exist, or the two contradict each other",
    importance: "readers see different sizes and offsets, and packages of at most 2 GiB never need ZIP64",
    remedy: "build the package again",
    example: "a size of 0xFFFFFFFF without the extra field 0x0001")

  public static let archiveMultiDisk = Rule(
    "archive/multi-disk", .error,
    "the archive is split over several disks",
    cause: "a record has a disk number other than 0",
    importance: "the rest of the content is in other files",
    remedy: "build the package as a single file",
    example: "zip -s 10m -r Book.zip Book")

  public static let archiveLocalMismatch = Rule(
    "archive/local-mismatch", .error,
    "a local file header contradicts the central directory",
    cause: "the name, method, flags, size, checksum or an extra field differ between the two headers",
    importance: "another reader may unpack content that was not checked",
    remedy: "build the package again",
    example: "a central directory header for Contents/a.txt with a local file header for ../a.txt")

  public static let archiveOverlap = Rule(
    "archive/overlap", .error,
    "two entries share bytes of the file",
    cause: "two entries point to the same data or to overlapping data",
    importance: "a small file can unpack to petabytes, and one entry can hide another",
    remedy: "build the package again",
    example: "two entries with the same offset")

  public static let archiveGap = Rule(
    "archive/gap", .error,
    "the file has bytes that belong to no entry",
    cause: "there are bytes before, between or after the entries",
    importance: "a streaming reader may find entries there that the central directory does not list",
    remedy: "build the package again",
    example: "an entry that was deleted from the central directory, with its data still there")

  public static let archiveMethod = Rule(
    "archive/method", .error,
    "an entry uses a compression method other than stored and deflated",
    cause: "the archive was made with another method, such as bzip2, LZMA, Zstandard or Deflate64",
    importance: "devices can unpack stored and deflated entries only",
    remedy: "build the package again with stored or deflated entries",
    example: "zip -Z bzip2 -r Book.pkg Book")

  public static let archiveEncrypted = Rule(
    "archive/encrypted", .error,
    "an entry is encrypted",
    cause: "the archive was made with a password",
    importance: "the app does not know the password, and stores cannot check the content",
    remedy: "build the package without encryption",
    example: "zip -e -r Book.pkg Book")

  public static let archiveFlags = Rule(
    "archive/flags", .error,
    "an entry has flags that a plain archive does not use",
    cause: "a flag declares patched data or masked headers, or is reserved",
    importance: "readers interpret such an entry differently",
    remedy: "build the package again",
    example: "an entry with bit 5 of the general purpose flags set")

  public static let archiveDescriptor = Rule(
    "archive/descriptor", .error,
    "the data descriptor of an entry is missing or wrong",
    cause: "the record after the data does not repeat the sizes and the checksum",
    importance: "a streaming reader loses its position and reads content as headers",
    remedy: "build the package again",
    example: "a descriptor that declares size 0 after 7 bytes of data")

  public static let archiveSizeMismatch = Rule(
    "archive/size-mismatch", .error,
    "the data of an entry are longer or shorter than declared",
    cause: "the header or the data were corrupted or forged",
    importance: "a limit checked with the declared size does not hold when the data are unpacked",
    remedy: "build the package again",
    example: "a declared size of 10 bytes for data that inflate to 10 GB")

  public static let archiveChecksum = Rule(
    "archive/checksum", .error,
    "the data of an entry do not match the declared checksum, or cannot be decoded",
    cause: "the data were corrupted or changed after the package was made",
    importance: "the content is not what its author packed",
    remedy: "transfer the package again, or build it again",
    example: "one flipped bit in a picture")

  public static let archiveExtraField = Rule(
    "archive/extra-field", .error,
    "an extra field is malformed, or changes the meaning of its entry",
    cause:
      "the field has a wrong length, overrides the name, kind or owner of the entry, or lists other segments than those of "
      + "the entry",
    importance: "some readers use the field instead of the header",
    remedy: "build the package again",
    example: "an extra field 0x7075 with a name other than that in the header")

  public static let archiveComment = Rule(
    "archive/comment", .warning,
    "the archive has a comment",
    cause: "the tool that made the archive added a comment",
    importance: "a comment is harmless, but no reader of packages shows it and it may hide data",
    remedy: "build the package without a comment",
    example: "zip -z Book.pkg")

  public static let archiveUnflaggedName = Rule(
    "archive/unflagged-name", .warning,
    "a name is in UTF-8 but lacks the UTF-8 flag",
    cause: "the tool wrote a UTF-8 name without bit 11 of the general purpose flags",
    importance: "readers that follow the format read the name in code page 437",
    remedy: "set the UTF-8 flag, or build the package with iapkg create",
    example: "Contents/Grüße.txt, packed by an old tool")
}

/// The explanation of a rule, for `explain` and for the help of reports.
public struct RuleExplanation: Sendable {
  /// How a finding comes about: one sentence without a full stop, like the others.
  public let cause: String
  /// What would happen if the finding were not reported.
  public let importance: String
  /// The smallest input that breaks the rule.
  public let example: String
}

extension Rule {
  /// What causes a finding of the rule, and why it matters.
  public var explanation: RuleExplanation {
    switch self {
    case .archiveNotAZip:
      .init(
        cause: "the last 64 KiB of the file have no end of central directory record",
        importance: "stores and apps cannot open the file at all",
        example: "a folder, a xar archive from Xcode, or an error page that was saved as Book.pkg")
    case .archiveTruncated:
      .init(
        cause: "the file was cut off while it was written or transferred",
        importance: "content is missing or cut off on the device",
        example: "an upload that broke off after 3 of 5 MB")
    case .archiveEndRecord:
      .init(
        cause: "bytes follow the record, its comment length is wrong, or the file has a second record",
        importance: "two readers may use two different central directories",
        example: "cat Book.pkg other.zip > Both.pkg")
    case .archiveEntryCount:
      .init(
        cause: "a faulty tool wrote the number, or somebody changed it later",
        importance: "readers that trust the number see other files than readers that count",
        example: "a record that declares 3 entries for a central directory of 4 entries")
    case .archiveDirectorySize:
      .init(
        cause: "the declared offset and size do not lead from the start of the central directory to its end",
        importance: "readers that search for the central directory may find another one",
        example: "a self-extracting archive, which starts with a program")
    case .archiveDirectoryRecord:
      .init(
        cause: "a signature, length or number in the header is impossible",
        importance: "libarchive shows an empty archive and reports success",
        example: "a header with a name that would reach beyond the central directory")
    case .archiveZip64:
      .init(
        cause: "a field refers to a ZIP64 record that does not exist, or the two contradict each other",
        importance: "readers see different sizes and offsets, and packages of at most 2 GiB never need ZIP64",
        example: "a size of 0xFFFFFFFF without the extra field 0x0001")
    case .archiveMultiDisk:
      .init(
        cause: "a record has a disk number other than 0",
        importance: "the rest of the content is in other files",
        example: "zip -s 10m -r Book.zip Book")
    case .archiveLocalMismatch:
      .init(
        cause: "the name, method, flags, size, checksum or an extra field differ between the two headers",
        importance: "another reader may unpack something else than what was checked",
        example: "a central directory header for Contents/a.txt with a local file header for ../a.txt")
    case .archiveOverlap:
      .init(
        cause: "two entries point to the same data or to overlapping data",
        importance: "a small file can unpack to petabytes, and one entry can hide another",
        example: "two entries with the same offset")
    case .archiveGap:
      .init(
        cause: "there are bytes before, between or after the entries",
        importance: "a streaming reader may find entries there that the central directory does not list",
        example: "an entry that was deleted from the central directory, with its data still there")
    case .archiveMethod:
      .init(
        cause: "the archive was made with another method, such as bzip2, LZMA, Zstandard or Deflate64",
        importance: "devices can unpack stored and deflated entries only",
        example: "zip -Z bzip2 -r Book.pkg Book")
    case .archiveEncrypted:
      .init(
        cause: "the archive was made with a password",
        importance: "the app does not know the password, and stores cannot check the content",
        example: "zip -e -r Book.pkg Book")
    case .archiveFlags:
      .init(
        cause: "a flag declares patched data, masked headers or something reserved",
        importance: "readers interpret such an entry differently",
        example: "an entry with bit 5 of the general purpose flags set")
    case .archiveDescriptor:
      .init(
        cause: "the record after the data does not repeat the sizes and the checksum",
        importance: "a streaming reader gets out of step and reads content as headers",
        example: "a descriptor that declares size 0 after 7 bytes of data")
    case .archiveSizeMismatch:
      .init(
        cause: "the header or the data were corrupted or forged",
        importance: "a limit checked with the declared size does not hold when the data are unpacked",
        example: "a declared size of 10 bytes for data that inflate to 10 GB")
    case .archiveChecksum:
      .init(
        cause: "the data were corrupted or changed after the package was made",
        importance: "the content is not what its author packed",
        example: "one flipped bit in a picture")
    case .archiveExtraField:
      .init(
        cause: "the field has a wrong length, or overrides the name, kind or owner of the entry",
        importance: "some readers use the field instead of the header",
        example: "an extra field 0x7075 with another name than that in the header")
    case .archiveComment:
      .init(
        cause: "the tool that made the archive added a comment",
        importance: "a comment is harmless, but no reader of packages shows it and it may hide data",
        example: "zip -z Book.pkg")
    case .archiveUnflaggedName:
      .init(
        cause: "the tool wrote a UTF-8 name without bit 11 of the general purpose flags",
        importance: "readers that follow the format read the name in code page 437",
        example: "Contents/Grüße.txt, packed by an old tool")
    case .packageExtension:
      .init(
        cause: "the file was named .zip, or its name has no extension",
        importance: "stores and apps recognise packages by their extension",
        example: "Book.zip")
    case .packageRootItem:
      .init(
        cause: "there are files beside Contents, or the folder itself was packed instead of its items",
        importance: "apps get nothing from the root except the manifest and Contents",
        example: "Book/ContentInfo.plist instead of ContentInfo.plist")
    case .packageContentsMissing:
      .init(
        cause: "the content is at the root, or in a folder with another name",
        importance: "only the folder Contents is installed",
        example: "a package with ContentInfo.plist and Data/")
    case .packageContentsEmpty:
      .init(
        cause: "the folder was never filled, or it has junk files only",
        importance: "users would pay for nothing and download nothing",
        example: "iapkg init Book --product-id a, then iapkg create Book")
    case .manifestMissing:
      .init(
        cause: "the file was forgotten, is in another folder, or has another spelling",
        importance: "the product and the version of the package are unknown",
        example: "a package with Contents/ only")
    case .manifestNotAFile:
      .init(
        cause: "a folder or device has the name of the manifest",
        importance: "it cannot be read as a property list",
        example: "a folder named ContentInfo.plist")
    case .manifestUnreadable:
      .init(
        cause: "the XML or the binary property list is malformed, or larger than 1 MiB",
        importance: "no reader can find the product and the version",
        example: "a <dict> without a </dict>")
    case .manifestUnsafeXml:
      .init(
        cause: "the file declares entities, uses namespaces, or has an encoding that hides text",
        importance: "a careless reader opens other files, runs out of memory, or sees other values",
        example: "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>")
    case .manifestDuplicateKey:
      .init(
        cause: "the file was merged or edited by hand",
        importance: "readers differ in which of the two values they use",
        example: "two ContentVersion keys, with the values 1.0 and 2.0")
    case .manifestMissingKey:
      .init(
        cause: "the top-level dictionary lacks IAPProductIdentifier or ContentVersion",
        importance: "nothing tells the package from other products, or from its own older versions",
        example: "a manifest with ContentVersion only")
    case .manifestWrongType:
      .init(
        cause: "the value is a number, a date, an array or the like",
        importance: "readers expect a string, and ignore or change anything else: the number 1.10 is 1.1",
        example: "<key>ContentVersion</key><real>1.10</real>")
    case .manifestProductIdentifier:
      .init(
        cause: "the identifier is empty, too long, or has characters that stores do not allow",
        importance: "the identifier becomes the name of a folder and must not lead anywhere else",
        example: "../evil")
    case .manifestContentVersion:
      .init(
        cause: "the version has letters, signs, empty parts, too many numbers, or too large numbers",
        importance: "iapkg cannot tell whether such a version is an update",
        example: "1.0-beta")
    case .manifestLeadingZero:
      .init(
        cause: "the version was written like a date or a decimal number",
        importance: "1.01 is read as 1.1, which may not be intended",
        example: "<string>1.01</string>")
    case .manifestMisspelledKey:
      .init(
        cause: "the key was typed by hand",
        importance: "readers ignore the value although it seems to be there",
        example: "IAPProductionIdentifier")
    case .manifestBinary:
      .init(
        cause: "Xcode or plutil converted the file",
        importance: "it works everywhere, but it has no lines that reviews and reports can show",
        example: "plutil -convert binary1 ContentInfo.plist")
    case .pathTraversal:
      .init(
        cause: "the archive was forged, or a tool stored a path as it was typed",
        importance: "an unpacker that follows the path writes outside the product's folder",
        example: "Contents/../../Library/Preferences/app.plist")
    case .pathAbsolute:
      .init(
        cause: "the path starts with a slash, or with a letter and a colon",
        importance: "an unpacker that follows the path writes anywhere on the disk",
        example: "/etc/passwd")
    case .pathEmpty:
      .init(
        cause: "the path has two slashes in a row, or no name",
        importance: "readers turn it into different paths",
        example: "Contents//a.txt")
    case .pathCharacters:
      .init(
        cause: "the name was forged, or was made on a system that allows such characters",
        importance: "names are cut off, control terminals, or become other paths",
        example: "Contents\\a.txt")
    case .pathEncoding:
      .init(
        cause: "the name is in a code page such as Latin-1",
        importance: "the file systems of Apple's devices do not accept the name",
        example: "Contents/Gr\\xFC\\xDFe.txt")
    case .pathDuplicate:
      .init(
        cause: "an entry was added to the archive again without removing the old one",
        importance: "readers differ in which of the two they unpack",
        example: "Contents/a.txt twice, with different data")
    case .pathCollision:
      .init(
        cause: "the names differ only in letter case, or in how an accent is encoded",
        importance: "one file silently replaces the other on a device",
        example: "Contents/Map.json and Contents/map.json")
    case .pathFileAndFolder:
      .init(
        cause: "one entry is a file, and another entry is below it",
        importance: "one of the two cannot be unpacked",
        example: "Contents/a and Contents/a/b")
    case .pathTooLong:
      .init(
        cause:
          "a part has more than 255 bytes, or the path has more than 1,023 bytes or 64 parts; or all paths "
          + "together have more bytes or more folders than any real content",
        importance:
          "devices cannot create the file, or the package costs far more memory and disk than its size",
        example: "a name of 300 letters")
    case .pathConfusing:
      .init(
        cause: "the name has bidirectional or invisible characters, or spaces at its ends",
        importance: "people mistake the name for another one",
        example: "Contents/invoice\\u{202E}gpj.exe")
    case .linkAbsolute:
      .init(
        cause: "the link was made with the full path of a file on the author's disk",
        importance: "on a device the link leads nowhere, or to a file of the device",
        example: "Contents/a -> /Users/me/a")
    case .linkEscapes:
      .init(
        cause: "the target is outside Contents, directly or through other links",
        importance: "reading or writing through the link reaches files that are not content",
        example: "Contents/a -> ../../b")
    case .linkLoop:
      .init(
        cause: "links point to each other",
        importance: "programs that follow the links never reach a file",
        example: "Contents/a -> b, Contents/b -> a")
    case .linkTarget:
      .init(
        cause: "the target is empty, too long, not UTF-8, or has a NUL",
        importance: "readers differ in where the link leads",
        example: "a link entry without data")
    case .linkThroughLink:
      .init(
        cause: "a link has the same path as the folder of another entry",
        importance: "unpacking writes to where the link leads",
        example: "a link Contents/a -> /tmp and a file Contents/a/b")
    case .linkForbiddenPlace:
      .init(
        cause: "Contents or ContentInfo.plist was replaced with a link",
        importance: "all content, or the identity of the package, would come from somewhere else",
        example: "Contents -> ../Other")
    case .linkDangling:
      .init(
        cause: "the target was renamed, removed, or not packed",
        importance: "opening the link fails on the device",
        example: "Contents/a -> missing.txt")
    case .fileExecutableCode:
      .init(
        cause: "a program, library or plug-in is part of the content",
        importance: "apps must not download code, and stores reject the package or the app",
        example: "a Mach-O, ELF or Windows program, or Java or Python bytecode")
    case .fileExecutableBundle:
      .init(
        cause:
          "the folder has an Info.plist that names an executable, a folder Contents/MacOS, or code inside",
        importance: "systems run such folders when they are opened, and stores reject them",
        example: "Contents/Helper.app/Contents/MacOS/Helper")
    case .fileNestedExecutable:
      .init(
        cause: "a program is in an archive or compressed stream, which may stand behind a picture",
        importance: "packing a program does not change that it is code",
        example: "Contents/data.zip with a Mach-O program in it")
    case .fileNestedArchive:
      .init(
        cause: "it is damaged, encrypted, nested too deeply, or of a format that iapkg does not open",
        importance: "iapkg cannot tell whether it has code",
        example: "Contents/data.zip with a password")
    case .fileScript:
      .init(
        cause: "the file has the name of a script, or starts with #! and an interpreter",
        importance:
          "a script that the app runs is downloaded code; a script with an execute bit is an error, because "
          + "systems run it as well",
        example: "a file named tool.py")
    case .filePossibleCode:
      .init(
        cause: "the bytes or the name of the file may be those of a program",
        importance: "a store may consider the file to be code",
        example: "a Python pickle, a document with macros, or Unity data named level.bundle")
    case .fileSecret:
      .init(
        cause: "the file is a private key, or a file in which tools keep passwords or access keys",
        importance: "everyone who has the content can use the key or password",
        example: "Contents/.env, or a file that starts with -----BEGIN PRIVATE KEY-----")
    case .fileSpecial:
      .init(
        cause: "the folder was copied from a running system",
        importance: "such an item is not content and cannot be packed",
        example: "a socket or named pipe in Contents")
    case .fileSetId:
      .init(
        cause: "the permissions were copied from an installed program",
        importance: "if the superuser unpacks the file, anybody can use that user's rights",
        example: "a file with mode 4755")
    case .fileExecutablePermission:
      .init(
        cause: "the file was on a disk that marks every file as executable, or was a script",
        importance: "content is not run, and the mark makes reviewers look for code",
        example: "a picture with mode 0755")
    case .fileOddPermission:
      .init(
        cause: "the owner cannot read the entry, or the entry has the sticky bit",
        importance: "the app may be unable to read the file",
        example: "a file with mode 0044")
    case .fileJunk:
      .init(
        cause: "the Finder, Windows, an editor, Python or version control made the file",
        importance: "it wastes space, and may disclose names and history",
        example: "Contents/.DS_Store")
    case .sizeOverLimit:
      .init(
        cause: "the content or the package is larger than 2 GiB, or larger than --max-size",
        importance: "stores do not accept the package",
        example: "3 GB of video in one product")
    case .sizeNearLimit:
      .init(
        cause: "the size is between 2,000,000,000 bytes and 2 GiB",
        importance: "the published limit is \"2 GB\", which may mean either of the two",
        example: "2,100,000,000 bytes of video")
    case .versionNotRaised:
      .init(
        cause: "content was added, removed or changed while the version stayed the same or became lower",
        importance: "devices that have the version keep the old content, so they never get the change",
        example: "a new picture in a package that is still version 1.0")
    case .versionAlreadyPublished:
      .init(
        cause: "the store has this version of the product already, with other content",
        importance: "users and caches already have the published release, and it must not change under them",
        example: "publishing version 1.0 again after its cover was replaced")
    }
  }
}

/// The longer story of a rule: what `explain` tells, and what reports give as help.
package struct RuleExplanation: Sendable {
  /// How it comes about: one sentence without a full stop, as are the others.
  package let cause: String
  /// What would happen if it were let through.
  package let importance: String
  /// A smallest input that breaks the rule.
  package let example: String
}

extension Rule {
  /// Why the rule is there.
  package var explanation: RuleExplanation {
    switch self {
    case .archiveNotAZip:
      .init(
        cause: "no end record of a ZIP archive stands in the last 64 KiB of the file",
        importance: "a store or app that opens it finds nothing at all",
        example: "a folder, a xar archive from Xcode or an error page that was saved as Book.pkg")
    case .archiveTruncated:
      .init(
        cause: "the file stops before the last byte that its records announce",
        importance: "content would be missing or cut off on the device",
        example: "an upload that broke off after 3 of 5 MB")
    case .archiveEndRecord:
      .init(
        cause: "bytes follow the end record, its comment length is wrong, or a second one can be found",
        importance: "two readers may take two different directories for the true one",
        example: "cat Book.pkg other.zip > Both.pkg")
    case .archiveEntryCount:
      .init(
        cause: "the number in the end record was written by a faulty tool, or changed later",
        importance: "readers that trust the number see other files than those that read on",
        example: "an end record that says 3 before a directory of 4 entries")
    case .archiveDirectorySize:
      .init(
        cause: "offset or size in the end record do not lead from the directory's start to its end",
        importance: "readers that search for the directory find another one than those that use the offset",
        example: "a stub put in front of an archive, as self-extracting files have it")
    case .archiveDirectoryRecord:
      .init(
        cause: "a signature, length or number in a record is impossible",
        importance: "libarchive then shows an empty archive and reports success",
        example: "a record whose name length reaches past the directory")
    case .archiveZip64:
      .init(
        cause: "a field says \"see ZIP64\" and there is no such record, or the two contradict each other",
        importance: "sizes and offsets differ by reader; packages of at most 2 GiB never need ZIP64",
        example: "a size of 0xFFFFFFFF without an extra field 0x0001")
    case .archiveMultiDisk:
      .init(
        cause: "a disk number other than 0 stands in a record",
        importance: "the rest of the content lies in files that nobody ships",
        example: "zip -s 10m -r Book.zip Book")
    case .archiveLocalMismatch:
      .init(
        cause: "name, method, flags, size, checksum or extra field differ between the two headers",
        importance: "what was checked is not what another reader unpacks",
        example: "a central name Contents/a.txt over a local name ../a.txt")
    case .archiveOverlap:
      .init(
        cause: "two records point to the same or to overlapping data",
        importance: "a small file can unpack to petabytes, and two names can hide one another",
        example: "two entries with the same offset")
    case .archiveGap:
      .init(
        cause: "bytes lie before, between or behind the entries",
        importance: "a streaming reader may find entries there that the directory does not list",
        example: "an entry deleted from the directory whose data are still in the file")
    case .archiveMethod:
      .init(
        cause: "the tool used another method, such as bzip2, LZMA, Zstandard or Deflate64",
        importance: "devices can unpack only stored and deflated entries",
        example: "zip -Z bzip2 -r Book.pkg Book")
    case .archiveEncrypted:
      .init(
        cause: "the archive was made with a password",
        importance: "the app has no password and the store cannot look inside",
        example: "zip -e -r Book.pkg Book")
    case .archiveFlags:
      .init(
        cause: "a flag of an entry announces patches, masked headers or something reserved",
        importance: "readers differ in what they make of such an entry",
        example: "a general purpose flag with bit 5 set")
    case .archiveDescriptor:
      .init(
        cause: "the record behind the data does not repeat the sizes and the checksum",
        importance: "a streaming reader loses its place and takes content for headers",
        example: "a descriptor with size 0 behind 7 bytes of data")
    case .archiveSizeMismatch:
      .init(
        cause: "the record or the data were damaged or forged",
        importance: "limits that were checked on the declared size do not hold when the data are unpacked",
        example: "a declared size of 10 over data that inflate to 10 GB")
    case .archiveChecksum:
      .init(
        cause: "bytes were changed after the package was made, or on the way",
        importance: "the content is not what its author packed",
        example: "one flipped bit in a picture")
    case .archiveExtraField:
      .init(
        cause: "the field has a wrong length, or names another file, link or owner",
        importance: "some readers let it override name, kind or permissions of the entry",
        example: "an extra field 0x7075 with another name than the header's")
    case .archiveComment:
      .init(
        cause: "the tool that made the archive wrote a comment",
        importance: "it is harmless, but no reader of packages shows it and it may hide data",
        example: "zip -z Book.pkg")
    case .archiveUnflaggedName:
      .init(
        cause: "the tool stored a UTF-8 name without general purpose flag 11",
        importance: "readers by the letter of the format take the name for code page 437",
        example: "Contents/Grüße.txt zipped by an old tool")
    case .packageExtension:
      .init(
        cause: "the file was named .zip, or has no extension",
        importance: "stores and apps know packages by their name",
        example: "Book.zip")
    case .packageRootItem:
      .init(
        cause: "files lie beside Contents, or the folder itself was packed and not what is in it",
        importance: "nothing at the root but the manifest and Contents reaches the app",
        example: "Book/ContentInfo.plist in place of ContentInfo.plist")
    case .packageContentsMissing:
      .init(
        cause: "the content lies at the root, or in a folder with another name",
        importance: "only what is under Contents is installed, so nothing would be",
        example: "a package with ContentInfo.plist and Data/")
    case .packageContentsEmpty:
      .init(
        cause: "the folder was made and never filled, or it holds junk alone",
        importance: "users would pay for and download nothing",
        example: "iapkg init Book --product-id a, then iapkg create Book")
    case .manifestMissing:
      .init(
        cause: "the file was forgotten, lies elsewhere, or has another spelling",
        importance: "without it nobody knows product and version",
        example: "a package with Contents/ alone")
    case .manifestNotAFile:
      .init(
        cause: "the name is taken by a folder or a device",
        importance: "it cannot be read as a property list",
        example: "a folder named ContentInfo.plist")
    case .manifestUnreadable:
      .init(
        cause: "the XML or binary property list breaks its format's rules, or is over 1 MiB",
        importance: "no reader can tell product and version from it",
        example: "a <dict> without </dict>")
    case .manifestUnsafeXml:
      .init(
        cause: "it declares entities, names an encoding that hides text, or uses namespaces",
        importance: "a careless reader opens other files, fills its memory, or sees other values",
        example: "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>")
    case .manifestDuplicateKey:
      .init(
        cause: "the file was merged or edited by hand",
        importance: "which of the two counts depends on the reader",
        example: "two ContentVersion keys, 1.0 and 2.0")
    case .manifestMissingKey:
      .init(
        cause: "IAPProductIdentifier or ContentVersion is not in the top dictionary",
        importance: "the package cannot be told from others, or not from its own older versions",
        example: "a manifest with ContentVersion alone")
    case .manifestWrongType:
      .init(
        cause: "the value is a number, date, array or the like",
        importance: "readers expect a string and drop or mangle it: 1.10 as a number is 1.1",
        example: "<key>ContentVersion</key><real>1.10</real>")
    case .manifestProductIdentifier:
      .init(
        cause: "it is empty, too long, or has characters that a store does not allow",
        importance: "it becomes the name of a folder, so it must not be able to lead elsewhere",
        example: "../evil")
    case .manifestContentVersion:
      .init(
        cause: "it has letters, signs or empty parts, or too many or too large numbers",
        importance: "versions that cannot be compared cannot be updated",
        example: "1.0-beta")
    case .manifestLeadingZero:
      .init(
        cause: "the version was written like a date or a decimal",
        importance: "1.01 is read as 1.1, which may not be what was meant",
        example: "<string>1.01</string>")
    case .manifestMisspelledKey:
      .init(
        cause: "the key was typed by hand",
        importance: "the value is not read although it looks as if it were there",
        example: "IAPProductionIdentifier")
    case .manifestBinary:
      .init(
        cause: "Xcode or plutil converted the file",
        importance: "it works everywhere but shows no lines in reviews and reports",
        example: "plutil -convert binary1 ContentInfo.plist")
    case .pathTraversal:
      .init(
        cause: "the archive was forged, or a tool stored the path as it was typed",
        importance: "an unpacker that follows it writes outside the folder for the product",
        example: "Contents/../../Library/Preferences/app.plist")
    case .pathAbsolute:
      .init(
        cause: "the path begins with a slash, or with a letter and a colon",
        importance: "an unpacker that follows it writes anywhere on the disk",
        example: "/etc/passwd")
    case .pathEmpty:
      .init(
        cause: "two slashes follow each other, or the name is missing",
        importance: "readers differ in the path that they make of it",
        example: "Contents//a.txt")
    case .pathCharacters:
      .init(
        cause: "the name was forged, or made on a system that allows it",
        importance: "names are cut off, change terminals, or become other paths",
        example: "Contents\\a.txt")
    case .pathEncoding:
      .init(
        cause: "the name was stored in a code page such as Latin-1",
        importance: "file systems of Apple's devices refuse it",
        example: "Contents/Gr\\xFC\\xDFe.txt")
    case .pathDuplicate:
      .init(
        cause: "the archive was updated without its old entry being removed",
        importance: "which of the two is unpacked depends on the reader",
        example: "Contents/a.txt twice, with different data")
    case .pathCollision:
      .init(
        cause: "the names differ only in case, or in how an accent is written",
        importance: "on a device one file silently takes the place of the other",
        example: "Contents/Map.json and Contents/map.json")
    case .pathFileAndFolder:
      .init(
        cause: "one entry is a file, and another lies beneath it",
        importance: "one of the two cannot be unpacked",
        example: "Contents/a and Contents/a/b")
    case .pathTooLong:
      .init(
        cause: "a part has over 255 bytes, or the path over 1,023 or over 64 parts",
        importance: "it cannot be made on a device",
        example: "a name of 300 letters")
    case .pathConfusing:
      .init(
        cause: "the name has bidirectional or invisible characters, or spaces at its ends",
        importance: "a person who reads the name takes it for another",
        example: "Contents/invoice\\u{202E}gpj.exe")
    case .linkAbsolute:
      .init(
        cause: "the link was made with the whole path of a file on the author's disk",
        importance: "it leads to nothing, or to something of the device's own",
        example: "Contents/a -> /Users/me/a")
    case .linkEscapes:
      .init(
        cause: "the target climbs out of Contents, at once or through other links",
        importance: "reading or writing through it reaches files that are not content",
        example: "Contents/a -> ../../b")
    case .linkLoop:
      .init(
        cause: "the links point to each other",
        importance: "whoever follows them never arrives",
        example: "Contents/a -> b, Contents/b -> a")
    case .linkTarget:
      .init(
        cause: "the target is empty, too long, not UTF-8, or has a NUL",
        importance: "what the link means depends on the reader",
        example: "a link entry without data")
    case .linkThroughLink:
      .init(
        cause: "a link has the name of a folder that other entries lie in",
        importance: "unpacking writes through the link, to where it leads",
        example: "Contents/a -> /tmp and a file Contents/a/b")
    case .linkForbiddenPlace:
      .init(
        cause: "Contents or ContentInfo.plist is itself a link",
        importance: "all content, or the identity, would come from elsewhere",
        example: "Contents -> ../Other")
    case .linkDangling:
      .init(
        cause: "the target was renamed, removed or not packed",
        importance: "opening the link fails on the device",
        example: "Contents/a -> missing.txt")
    case .fileExecutableCode:
      .init(
        cause: "a program, library or plug-in was put into the content",
        importance: "apps may not download code; stores reject the package or the app",
        example: "a Mach-O, ELF or Windows program, Java or Python bytecode")
    case .fileExecutableBundle:
      .init(
        cause: "the name ends as those of programs, libraries and installers do",
        importance: "systems run such things when they are opened; stores reject them",
        example: "Contents/Helper.app/Info.plist")
    case .fileNestedExecutable:
      .init(
        cause: "an archive in the content holds a program",
        importance: "code stays code however it is wrapped",
        example: "Contents/data.zip with a Mach-O program in it")
    case .fileNestedArchive:
      .init(
        cause: "it is damaged, encrypted, nested too deep, or of an unknown make",
        importance: "nobody can tell whether it holds code",
        example: "Contents/data.zip with a password")
    case .fileScript:
      .init(
        cause: "the file is the source of a shell, Python or other script",
        importance: "a script that the app runs is downloaded code, one that it shows is not",
        example: "a file called tool.py")
    case .filePossibleCode:
      .init(
        cause: "its first bytes may, but need not, be those of a program",
        importance: "a store may take it for code",
        example: "a text file that begins with MZ, or a Metal library")
    case .fileSpecial:
      .init(
        cause: "the folder was copied from a running system",
        importance: "it is not content and cannot be packed",
        example: "a socket or named pipe in Contents")
    case .fileSetId:
      .init(
        cause: "the permissions were taken over from an installed program",
        importance: "unpacked by the superuser it gives away that user's rights",
        example: "a file with mode 4755")
    case .fileExecutablePermission:
      .init(
        cause: "the file comes from a disk that marks everything, or was a script",
        importance: "content is not run; the mark makes reviewers look for code",
        example: "a picture with mode 0755")
    case .fileOddPermission:
      .init(
        cause: "the owner may not read it, or it has the sticky bit",
        importance: "the app may not be able to read the file",
        example: "a file with mode 0044")
    case .fileJunk:
      .init(
        cause: "the Finder, Windows or version control left the file behind",
        importance: "it takes room, and may give away names and history",
        example: "Contents/.DS_Store")
    case .sizeOverLimit:
      .init(
        cause: "the content, or the package itself, is larger than 2 GiB or the limit that was given",
        importance: "stores refuse the package",
        example: "3 GB of video in one product")
    case .sizeNearLimit:
      .init(
        cause: "the size lies between 2,000,000,000 bytes and 2 GiB",
        importance: "the published limit is \"2 GB\" and nobody says which of the two is meant",
        example: "2,100,000,000 bytes of video")
    case .versionNotRaised:
      .init(
        cause: "content was added, removed or changed under the same or a lower version",
        importance: "devices that have the version keep what they have, so the change never arrives",
        example: "a new picture in a package that is still 1.0")
    }
  }
}

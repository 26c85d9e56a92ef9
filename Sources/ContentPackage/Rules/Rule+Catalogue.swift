/// What the catalogue says of one rule.
package struct RuleDescription: Sendable {
  package let severity: Finding.Severity
  /// Whether the rule may be named in `--ignore`.
  package let ignorable: Bool
  /// What the rule finds: one lower-case sentence without a full stop.
  package let summary: String
  /// What to do about it, likewise.
  package let remedy: String

  fileprivate init(
    _ severity: Finding.Severity, ignorable: Bool = false, _ summary: String, remedy: String
  ) {
    self.severity = severity
    self.ignorable = ignorable
    self.summary = summary
    self.remedy = remedy
  }
}

extension Rule {
  /// How bad it is to break the rule.
  public var severity: Finding.Severity { description.severity }
  package var remedy: String { description.remedy }

  /// The rule's row of the catalogue, the one place where its severity and its words stand.
  package var description: RuleDescription {
    switch self {
    case .archiveNotAZip:
      .init(
        .error, "the file is not a ZIP archive",
        remedy: "build the package with iapkg create")
    case .archiveTruncated:
      .init(
        .error, "the archive ends before all that it announces",
        remedy: "transfer or build the package again")
    case .archiveEndRecord:
      .init(
        .error, "the end record is not the last thing in the file, or there is more than one",
        remedy: "build the package again")
    case .archiveEntryCount:
      .init(
        .error, "the end record counts other entries than the directory holds",
        remedy: "build the package again")
    case .archiveDirectorySize:
      .init(
        .error, "the end record gives another place or size than the directory has",
        remedy: "build the package again")
    case .archiveDirectoryRecord:
      .init(
        .error, "a record of the central directory is damaged",
        remedy: "build the package again")
    case .archiveZip64:
      .init(
        .error, "the ZIP64 records are missing, contradictory or damaged",
        remedy: "build the package again")
    case .archiveMultiDisk:
      .init(
        .error, "the archive is split over several disks",
        remedy: "build one single file")
    case .archiveLocalMismatch:
      .init(
        .error, "a local header and its central record disagree",
        remedy: "build the package again")
    case .archiveOverlap:
      .init(
        .error, "two entries share bytes of the file",
        remedy: "build the package again")
    case .archiveGap:
      .init(
        .error, "the file has bytes that belong to no entry",
        remedy: "build the package again")
    case .archiveMethod:
      .init(
        .error, "an entry is compressed in a way other than stored or deflated",
        remedy: "build the package again with stored or deflated entries")
    case .archiveEncrypted:
      .init(
        .error, "an entry is encrypted",
        remedy: "build the package without encryption")
    case .archiveFlags:
      .init(
        .error, "an entry has flags that a plain archive does not use",
        remedy: "build the package again")
    case .archiveDescriptor:
      .init(
        .error, "the data descriptor of an entry is missing or wrong",
        remedy: "build the package again")
    case .archiveSizeMismatch:
      .init(
        .error, "the data of an entry is longer or shorter than declared",
        remedy: "build the package again")
    case .archiveChecksum:
      .init(
        .error, "the data of an entry does not have the declared checksum, or cannot be decoded at all",
        remedy: "transfer or build the package again")
    case .archiveExtraField:
      .init(
        .error, "an extra field is damaged, or changes what the entry means",
        remedy: "build the package again")
    case .archiveComment:
      .init(
        .warning, "the archive has a comment",
        remedy: "build the package without a comment")
    case .archiveUnflaggedName:
      .init(
        .warning, "a name is UTF-8 without the flag that says so",
        remedy: "set the UTF-8 flag, or build with iapkg create")
    case .packageExtension:
      .init(
        .error, "the name of a package does not end in .pkg",
        remedy: "rename the file to end in .pkg")
    case .packageRootItem:
      .init(
        .error, "something other than the manifest and Contents lies at the root",
        remedy: "move it into Contents/ or remove it")
    case .packageContentsMissing:
      .init(
        .error, "there is no folder Contents",
        remedy: "put the content into a folder named Contents")
    case .packageContentsEmpty:
      .init(
        .warning, "the folder Contents holds no file",
        remedy: "put the content into Contents/")
    case .manifestMissing:
      .init(
        .error, "there is no ContentInfo.plist at the root",
        remedy: "add ContentInfo.plist, or start with iapkg init")
    case .manifestNotAFile:
      .init(
        .error, "ContentInfo.plist is not a regular file",
        remedy: "replace it with a regular file")
    case .manifestUnreadable:
      .init(
        .error, "ContentInfo.plist is not a well-formed property list",
        remedy: "mend the property list")
    case .manifestUnsafeXml:
      .init(
        .error, "ContentInfo.plist uses XML that could read other files, or hide its meaning",
        remedy: "write a plain property list")
    case .manifestDuplicateKey:
      .init(
        .error, "a key stands twice in one dictionary",
        remedy: "keep one of the two")
    case .manifestMissingKey:
      .init(
        .error, "a required key is missing",
        remedy: "add the key")
    case .manifestWrongType:
      .init(
        .error, "a value has the wrong type",
        remedy: "write the value as a string")
    case .manifestProductIdentifier:
      .init(
        .error, "the product identifier is not one",
        remedy: "use 1 to 100 of A-Z a-z 0-9 . _ -, not starting with . or -")
    case .manifestContentVersion:
      .init(
        .error, "the content version is not one",
        remedy: "use 1 to 16 integers separated by periods, as in 1.0")
    case .manifestLeadingZero:
      .init(
        .warning, "a part of the content version has a leading zero",
        remedy: "write the number without the zero")
    case .manifestMisspelledKey:
      .init(
        .warning, "a key looks like a misspelling of a required one",
        remedy: "rename the key")
    case .manifestBinary:
      .init(
        .note, "ContentInfo.plist is a binary property list",
        remedy: "nothing needs to be done; XML is easier to review")
    case .pathTraversal:
      .init(
        .error, "a path has a part that is . or ..",
        remedy: "remove the part")
    case .pathAbsolute:
      .init(
        .error, "a path is absolute or names a drive",
        remedy: "make the path relative")
    case .pathEmpty:
      .init(
        .error, "a path or a part of it is empty",
        remedy: "give every part a name")
    case .pathCharacters:
      .init(
        .error, "a name has a NUL, a control character or a backslash",
        remedy: "rename the entry")
    case .pathEncoding:
      .init(
        .error, "a name is not UTF-8",
        remedy: "rename the entry in UTF-8")
    case .pathDuplicate:
      .init(
        .error, "two entries have the same path",
        remedy: "keep one of them")
    case .pathCollision:
      .init(
        .error, "two paths are the same once letter case and Unicode form are folded",
        remedy: "rename one of them")
    case .pathFileAndFolder:
      .init(
        .error, "one path is both a file and a folder",
        remedy: "rename one of them")
    case .pathTooLong:
      .init(
        .error, "a path or a part of it is too long, or too deep",
        remedy: "shorten the name")
    case .pathConfusing:
      .init(
        .warning, ignorable: true, "a name has characters that do not show or mislead",
        remedy: "rename the entry")
    case .linkAbsolute:
      .init(
        .error, "a link points to an absolute path",
        remedy: "make the target relative, or replace the link by its file")
    case .linkEscapes:
      .init(
        .error, "a link points outside Contents",
        remedy: "point it inside Contents/, or replace the link by its file")
    case .linkLoop:
      .init(
        .error, "a link leads back to itself",
        remedy: "remove the link")
    case .linkTarget:
      .init(
        .error, "the target of a link is not a path",
        remedy: "remove the link")
    case .linkThroughLink:
      .init(
        .error, "an entry lies beneath a link",
        remedy: "put the entry where the link leads, or replace the link by a folder")
    case .linkForbiddenPlace:
      .init(
        .error, "a link stands where only a folder or file may be",
        remedy: "replace the link by what it points to")
    case .linkDangling:
      .init(
        .warning, ignorable: true, "a link points to nothing",
        remedy: "add the target or remove the link")
    case .fileExecutableCode:
      .init(
        .error, "a file holds executable code",
        remedy: "remove the file")
    case .fileExecutableBundle:
      .init(
        .error, "a name or folder marks a program, library or installer",
        remedy: "remove it")
    case .fileNestedExecutable:
      .init(
        .error, "an archive inside the content holds executable code",
        remedy: "remove the code from the archive")
    case .fileNestedArchive:
      .init(
        .warning, ignorable: true, "an archive inside the content cannot be looked into",
        remedy: "unpack it into Contents/")
    case .fileScript:
      .init(
        .warning, ignorable: true, "a file is the source of a script",
        remedy: "remove it unless the app only reads it as data")
    case .filePossibleCode:
      .init(
        .warning, ignorable: true, "a file may hold code",
        remedy: "remove it unless it is data")
    case .fileSpecial:
      .init(
        .error, "a device, fifo or socket is no content",
        remedy: "remove it")
    case .fileSetId:
      .init(
        .error, "an entry has the set-user-id or set-group-id bit",
        remedy: "clear the bit")
    case .fileExecutablePermission:
      .init(
        .warning, ignorable: true, "a file is marked as executable",
        remedy: "clear the executable bits")
    case .fileOddPermission:
      .init(
        .warning, ignorable: true, "an entry has unusual permissions",
        remedy: "use 0644 for files and 0755 for folders")
    case .fileJunk:
      .init(
        .warning, ignorable: true, "a file left by a system or version control is no content",
        remedy: "remove it")
    case .sizeOverLimit:
      .init(
        .error, "the content or the package is larger than the limit",
        remedy: "split the content into several products")
    case .sizeNearLimit:
      .init(
        .warning, ignorable: true, "the size is close to the published limit",
        remedy: "make the content smaller")
    case .versionNotRaised:
      .init(
        .error, "the content changed and its version did not rise",
        remedy: "raise ContentVersion with iapkg bump")
    }
  }
}

/// The row of one rule in the catalogue.
package struct RuleDescription: Sendable {
  package let severity: Finding.Severity
  /// Whether the findings of the rule can be ignored.
  package let ignorable: Bool
  /// What the rule finds: one lower-case sentence without a full stop.
  package let summary: String
  /// What to do about a finding, in the same form.
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
  /// The severity of a finding of this rule, unless the finding has one of its own.
  public var severity: Finding.Severity { description.severity }
  /// What the rule finds: one lower-case sentence without a full stop.
  public var summary: String { description.summary }
  /// What to do about a finding of this rule, in the same form.
  public var remedy: String { description.remedy }

  /// The rule's row of the catalogue: its severity, summary and remedy.
  package var description: RuleDescription {
    switch self {
    case .archiveNotAZip:
      .init(
        .error, "the file is not a ZIP archive",
        remedy: "build the package with iapkg create")
    case .archiveTruncated:
      .init(
        .error, "the archive ends before the last byte that its records declare",
        remedy: "transfer the package again, or build it again")
    case .archiveEndRecord:
      .init(
        .error, "the end of central directory record is not the end of the file, or not the only one",
        remedy: "build the package again")
    case .archiveEntryCount:
      .init(
        .error, "the end of central directory record declares a wrong number of entries",
        remedy: "build the package again")
    case .archiveDirectorySize:
      .init(
        .error, "the end of central directory record declares a wrong offset or size",
        remedy: "build the package again")
    case .archiveDirectoryRecord:
      .init(
        .error, "a central directory header is malformed",
        remedy: "build the package again")
    case .archiveZip64:
      .init(
        .error, "ZIP64 records are missing, malformed or contradictory",
        remedy: "build the package again")
    case .archiveMultiDisk:
      .init(
        .error, "the archive is split over several disks",
        remedy: "build the package as a single file")
    case .archiveLocalMismatch:
      .init(
        .error, "a local file header contradicts the central directory",
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
        .error, "an entry uses a compression method other than stored and deflated",
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
        .error, "the data of an entry are longer or shorter than declared",
        remedy: "build the package again")
    case .archiveChecksum:
      .init(
        .error, "the data of an entry do not match the declared checksum, or cannot be decoded",
        remedy: "transfer the package again, or build it again")
    case .archiveExtraField:
      .init(
        .error, "an extra field is malformed, or changes the meaning of its entry",
        remedy: "build the package again")
    case .archiveComment:
      .init(
        .warning, "the archive has a comment",
        remedy: "build the package without a comment")
    case .archiveUnflaggedName:
      .init(
        .warning, "a name is in UTF-8 but lacks the UTF-8 flag",
        remedy: "set the UTF-8 flag, or build the package with iapkg create")
    case .packageExtension:
      .init(
        .error, "the file name of a package does not end in .pkg",
        remedy: "rename the file so that its name ends in .pkg")
    case .packageRootItem:
      .init(
        .error, "there is something other than ContentInfo.plist and Contents at the root",
        remedy: "move the item into Contents/ or remove it")
    case .packageContentsMissing:
      .init(
        .error, "there is no folder Contents",
        remedy: "put the content into a folder named Contents")
    case .packageContentsEmpty:
      .init(
        .warning, "the folder Contents has no files",
        remedy: "put the content into Contents/")
    case .manifestMissing:
      .init(
        .error, "there is no ContentInfo.plist at the root",
        remedy: "add ContentInfo.plist, or start a content folder with iapkg init")
    case .manifestNotAFile:
      .init(
        .error, "ContentInfo.plist is not a regular file",
        remedy: "replace ContentInfo.plist with a regular file")
    case .manifestUnreadable:
      .init(
        .error, "ContentInfo.plist is not a well-formed property list",
        remedy: "correct the property list")
    case .manifestUnsafeXml:
      .init(
        .error, "ContentInfo.plist uses XML that can read other files or hide its meaning",
        remedy: "write a plain property list")
    case .manifestDuplicateKey:
      .init(
        .error, "a dictionary has the same key twice",
        remedy: "remove one of the two keys")
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
        .error, "the product identifier is not valid",
        remedy: "use 1 to 100 of the characters A-Z a-z 0-9 . _ -, and start with neither . nor -")
    case .manifestContentVersion:
      .init(
        .error, "the content version is not valid",
        remedy: "use 1 to 16 integers separated by periods, as in 1.0")
    case .manifestLeadingZero:
      .init(
        .warning, "a number of the content version has a leading zero",
        remedy: "write the number without the zero")
    case .manifestMisspelledKey:
      .init(
        .warning, "a key looks like a misspelling of a required key",
        remedy: "rename the key")
    case .manifestBinary:
      .init(
        .note, "ContentInfo.plist is a binary property list",
        remedy: "nothing needs to be done, but XML is easier to review")
    case .pathTraversal:
      .init(
        .error, "a path has a part . or ..",
        remedy: "remove that part")
    case .pathAbsolute:
      .init(
        .error, "a path is absolute or starts with a drive letter",
        remedy: "make the path relative")
    case .pathEmpty:
      .init(
        .error, "a path or a part of it is empty",
        remedy: "give every part of the path a name")
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
        remedy: "remove one of the two entries")
    case .pathCollision:
      .init(
        .error, "two paths are equal once letter case and Unicode form are folded",
        remedy: "rename one of the two entries")
    case .pathFileAndFolder:
      .init(
        .error, "the same path is both a file and a folder",
        remedy: "rename one of the two entries")
    case .pathTooLong:
      .init(
        .error, "a path is too long or too deep, a part of it is too long, or all paths together are",
        remedy: "shorten the path, or use fewer folders")
    case .pathConfusing:
      .init(
        .warning, ignorable: true, "a name has invisible or misleading characters",
        remedy: "rename the entry")
    case .linkAbsolute:
      .init(
        .error, "the target of a link is an absolute path",
        remedy: "make the target relative, or replace the link with its file")
    case .linkEscapes:
      .init(
        .error, "a link points outside Contents",
        remedy: "point the link inside Contents/, or replace it with its file")
    case .linkLoop:
      .init(
        .error, "a link leads back to itself",
        remedy: "remove the link")
    case .linkTarget:
      .init(
        .error, "the target of a link is not a valid path",
        remedy: "remove the link")
    case .linkThroughLink:
      .init(
        .error, "an entry is below a link",
        remedy: "move the entry to the folder that the link points to, or replace the link with a folder")
    case .linkForbiddenPlace:
      .init(
        .error, "Contents or ContentInfo.plist is a link",
        remedy: "replace the link with what it points to")
    case .linkDangling:
      .init(
        .warning, ignorable: true, "the target of a link does not exist",
        remedy: "add the target or remove the link")
    case .fileExecutableCode:
      .init(
        .error, "a file has executable code",
        remedy: "remove the file")
    case .fileExecutableBundle:
      .init(
        .error, "a folder is a program, library or plug-in",
        remedy: "remove the folder")
    case .fileNestedExecutable:
      .init(
        .error, "an archive or compressed stream inside the content has executable code",
        remedy: "remove the code from the archive")
    case .fileNestedArchive:
      .init(
        .warning, ignorable: true, "an archive, disk image or compressed stream cannot be checked",
        remedy: "unpack it into Contents/")
    case .fileScript:
      .init(
        .warning, ignorable: true, "a file is a script that is not marked as executable",
        remedy: "remove the file, unless the app only reads it as data")
    case .filePossibleCode:
      .init(
        .warning, ignorable: true, "a file may have executable code, or has the name of a program",
        remedy: "remove the file, unless it is data")
    case .fileSecret:
      .init(
        .warning, ignorable: true, "a file has a private key or credentials",
        remedy: "remove the file, and replace the key or password if it has been published")
    case .fileSpecial:
      .init(
        .error, "an item is a device, FIFO or socket",
        remedy: "remove the item")
    case .fileSetId:
      .init(
        .error, "an entry has the set-user-ID or set-group-ID bit",
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
        .warning, ignorable: true, "a file was left behind by a system, an editor or version control",
        remedy: "remove the file")
    case .sizeOverLimit:
      .init(
        .error, "the content or the package is larger than the limit",
        remedy: "split the content into several products")
    case .sizeNearLimit:
      .init(
        .warning, ignorable: true, "the content or the package is close to the published limit",
        remedy: "make the content smaller")
    case .versionNotRaised:
      .init(
        .error, "the content has changed but the version was not raised",
        remedy: "raise ContentVersion with iapkg bump")
    case .versionAlreadyPublished:
      .init(
        .error, "the version is published already, with other content",
        remedy: "raise ContentVersion with iapkg bump: what was published never changes")
    }
  }
}

extension Rule {
  /// The rules on the paths of entries, in report order. The array must have every rule declared below.
  static let pathRules: [Rule] = [
    pathTraversal, pathAbsolute, pathEmpty, pathCharacters, pathEncoding, pathDuplicate, pathCollision,
    pathFileAndFolder, pathTooLong, pathConfusing,
  ]

  public static let pathTraversal = Rule(
    "path/traversal", .error,
    "a path has a part . or ..",
    cause: "the archive was forged, or a tool stored a path as it was typed",
    importance: "an unpacker that follows the path writes outside the product's folder",
    remedy: "remove that part",
    example: "Contents/../../Library/Preferences/app.plist")

  public static let pathAbsolute = Rule(
    "path/absolute", .error,
    "a path is absolute or starts with a drive letter",
    cause: "the path starts with a slash, or with a letter and a colon",
    importance: "an unpacker that follows the path writes anywhere on the disk",
    remedy: "make the path relative",
    example: "/etc/passwd")

  public static let pathEmpty = Rule(
    "path/empty", .error,
    "a path or a part of it is empty",
    cause: "the path has two slashes in a row, or no name",
    importance: "readers resolve the path differently",
    remedy: "give every part of the path a name",
    example: "Contents//a.txt")

  public static let pathCharacters = Rule(
    "path/characters", .error,
    "a name has a NUL, a control character or a backslash",
    cause: "the name was forged, or was made on a system that allows such characters",
    importance: "names are cut off, control terminals, or become other paths",
    remedy: "rename the entry",
    example: "Contents\\a.txt")

  public static let pathEncoding = Rule(
    "path/encoding", .error,
    "a name is not UTF-8",
    cause: "the name is in a code page such as Latin-1",
    importance: "the file systems of Apple's devices do not accept the name",
    remedy: "rename the entry in UTF-8",
    example: "Contents/Gr\\xFC\\xDFe.txt")

  public static let pathDuplicate = Rule(
    "path/duplicate", .error,
    "two entries have the same path",
    cause: "an entry was added to the archive again without removing the old one",
    importance: "readers differ in which of the two they unpack",
    remedy: "remove one of the two entries",
    example: "Contents/a.txt twice, with different data")

  public static let pathCollision = Rule(
    "path/collision", .error,
    "two paths are equal once letter case and Unicode form are folded",
    cause: "the names differ only in letter case, or in how an accent is encoded",
    importance: "one file silently replaces the other on a device",
    remedy: "rename one of the two entries",
    example: "Contents/Map.json and Contents/map.json")

  public static let pathFileAndFolder = Rule(
    "path/file-and-folder", .error,
    "the same path is both a file and a folder",
    cause: "one entry is a file, and another entry is below it",
    importance: "one of the two cannot be unpacked",
    remedy: "rename one of the two entries",
    example: "Contents/a and Contents/a/b")

  public static let pathTooLong = Rule(
    "path/too-long", .error,
    "a path or a part of it is too long, a path is too deep, or all paths together are too long",
    cause:
      "a part has more than 255 bytes, or the path has more than 1,023 bytes or 64 parts; or all paths "
      + "together have more bytes or more folders than any real content",
    importance:
      "devices cannot create the file, or the package takes far more memory and disk space than its size suggests",
    remedy: "shorten the path, or use fewer folders",
    example: "a name of 300 letters")

  public static let pathConfusing = Rule(
    "path/confusing", .warning, ignorable: true,
    "a name has invisible or misleading characters",
    cause: "the name has bidirectional or invisible characters, or leading or trailing spaces",
    importance: "people mistake the name for another one",
    remedy: "rename the entry",
    example: "Contents/invoice\\u{202E}gpj.exe")
}

extension Rule {
  /// The rules on the types of files and folders, in report order. The array must have every rule declared below.
  static let fileRules: [Rule] = [
    fileExecutableCode, fileExecutableBundle, fileNestedExecutable, fileNestedArchive, fileScript,
    filePossibleCode, fileSecret, fileSpecial, fileSetId, fileExecutablePermission, fileOddPermission,
    fileJunk,
  ]

  public static let fileExecutableCode = Rule(
    "file/executable-code", .error,
    "a file has executable code",
    cause: "a program, library or plug-in is part of the content",
    importance: "apps must not download code, and stores reject the package or the app",
    remedy: "remove the file",
    example: "a Mach-O, ELF or Windows program, or Java or Python bytecode")

  public static let fileExecutableBundle = Rule(
    "file/executable-bundle", .error,
    "a folder is a program, library or plug-in",
    cause:
      "the folder has an Info.plist that names an executable, a folder Contents/MacOS, or code inside",
    importance: "systems run such folders when they are opened, and stores reject them",
    remedy: "remove the folder",
    example: "Contents/Helper.app/Contents/MacOS/Helper")

  public static let fileNestedExecutable = Rule(
    "file/nested-executable", .error,
    "an archive or compressed stream inside the content has executable code",
    cause: "a program is in an archive or compressed stream, which may follow other data such as a picture",
    importance: "code in an archive is still code",
    remedy: "remove the code from the archive",
    example: "Contents/data.zip with a Mach-O program in it")

  public static let fileNestedArchive = Rule(
    "file/nested-archive", .warning, ignorable: true,
    "an archive, disk image or compressed stream cannot be checked",
    cause: "it is damaged, encrypted, nested too deeply, or of a format that iapkg does not open",
    importance: "iapkg cannot tell whether it has code",
    remedy: "unpack it into Contents/",
    example: "Contents/data.zip with a password")

  public static let fileScript = Rule(
    "file/script", .warning, ignorable: true,
    "a file is a script that is not marked as executable",
    cause: "the file has the name of a script, or starts with #! and an interpreter",
    importance:
      "a script that the app runs is downloaded code; a script with an execute bit is an error, because "
      + "systems run it as well",
    remedy: "remove the file, unless the app only reads it as data",
    example: "a file named tool.py")

  public static let filePossibleCode = Rule(
    "file/possible-code", .warning, ignorable: true,
    "a file may have executable code, or has the name of a program",
    cause: "the bytes or the name of the file may be those of a program",
    importance: "a store may consider the file to be code",
    remedy: "remove the file, unless it is data",
    example: "a Python pickle, a document with macros, or Unity data named level.bundle")

  public static let fileSecret = Rule(
    "file/secret", .error, ignorable: true,
    "a file has a private key; data that only looks like a key or credentials is a warning",
    cause: "the file is a private key, or a file in which tools keep passwords or access keys",
    importance: "everyone who has the content can use the key or password",
    remedy: "remove the file, and replace the key or password if it has been published",
    example: "Contents/.env, or a file that starts with -----BEGIN PRIVATE KEY-----")

  public static let fileSpecial = Rule(
    "file/special", .error,
    "an item is a device, FIFO or socket",
    cause: "the folder was copied from a running system",
    importance: "such an item is not content and cannot be packed",
    remedy: "remove the item",
    example: "a socket or named pipe in Contents")

  public static let fileSetId = Rule(
    "file/set-id", .error,
    "an entry has the set-user-ID or set-group-ID bit",
    cause: "the permissions were copied from an installed program",
    importance: "if the superuser unpacks the file, any user can run it with the superuser's rights",
    remedy: "clear the bit",
    example: "a file with mode 4755")

  public static let fileExecutablePermission = Rule(
    "file/executable-permission", .warning, ignorable: true,
    "a file is marked as executable",
    cause: "the file was on a disk that marks every file as executable, or was a script",
    importance: "content is not executed, and the mark makes reviewers search for code",
    remedy: "clear the executable bits",
    example: "a picture with mode 0755")

  public static let fileOddPermission = Rule(
    "file/odd-permission", .warning, ignorable: true,
    "an entry has unusual permissions",
    cause: "the owner cannot read the entry, or the entry has the sticky bit",
    importance: "the app may be unable to read the file",
    remedy: "use 0644 for files and 0755 for folders",
    example: "a file with mode 0044")

  public static let fileJunk = Rule(
    "file/junk", .warning, ignorable: true,
    "a file was left behind by a system, an editor or version control",
    cause: "the Finder, Windows, an editor, Python or version control made the file",
    importance: "it wastes space, and may disclose names and history",
    remedy: "remove the file",
    example: "Contents/.DS_Store")
}

extension Rule {
  /// The rules on `ContentInfo.plist`, in report order. The array must have every rule declared below.
  static let manifestRules: [Rule] = [
    manifestMissing, manifestNotAFile, manifestUnreadable, manifestUnsafeXml, manifestDuplicateKey,
    manifestMissingKey, manifestWrongType, manifestProductIdentifier, manifestContentVersion,
    manifestLeadingZero, manifestMisspelledKey, manifestBinary,
  ]

  public static let manifestMissing = Rule(
    "manifest/missing", .error,
    "there is no ContentInfo.plist at the root",
    cause: "the file was forgotten, is in another folder, or has another spelling",
    importance: "the product and the version of the package are unknown",
    remedy: "add ContentInfo.plist, or start a content folder with iapkg init",
    example: "a package with Contents/ only")

  public static let manifestNotAFile = Rule(
    "manifest/not-a-file", .error,
    "ContentInfo.plist is not a regular file",
    cause: "a folder or device has the name of the manifest",
    importance: "it cannot be read as a property list",
    remedy: "replace ContentInfo.plist with a regular file",
    example: "a folder named ContentInfo.plist")

  public static let manifestUnreadable = Rule(
    "manifest/unreadable", .error,
    "ContentInfo.plist is not a well-formed property list",
    cause: "the XML or the binary property list is malformed, or larger than 1 MiB",
    importance: "no reader can find the product and the version",
    remedy: "correct the property list",
    example: "a <dict> without a </dict>")

  public static let manifestUnsafeXml = Rule(
    "manifest/unsafe-xml", .error,
    "ContentInfo.plist uses XML that can read other files or hide its meaning",
    cause: "the file declares entities, uses namespaces, or has an encoding that hides text",
    importance: "a careless reader opens other files, runs out of memory, or sees other values",
    remedy: "write a plain property list",
    example: "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>")

  public static let manifestDuplicateKey = Rule(
    "manifest/duplicate-key", .error,
    "a dictionary has the same key twice",
    cause: "the file was merged or edited by hand",
    importance: "readers differ in which of the two values they use",
    remedy: "remove one of the two keys",
    example: "two ContentVersion keys, with the values 1.0 and 2.0")

  public static let manifestMissingKey = Rule(
    "manifest/missing-key", .error,
    "a required key is missing",
    cause: "the top-level dictionary lacks IAPProductIdentifier or ContentVersion",
    importance: "nothing distinguishes the package from other products or from its own older versions",
    remedy: "add the key",
    example: "a manifest with ContentVersion only")

  public static let manifestWrongType = Rule(
    "manifest/wrong-type", .error,
    "a value has the wrong type",
    cause: "the value is a number, a date, an array or the like",
    importance: "readers expect a string, and ignore or change anything else: the number 1.10 is 1.1",
    remedy: "write the value as a string",
    example: "<key>ContentVersion</key><real>1.10</real>")

  public static let manifestProductIdentifier = Rule(
    "manifest/product-identifier", .error,
    "the product identifier is not valid",
    cause: "the identifier is empty, too long, or has characters that stores do not allow",
    importance: "the identifier becomes the name of a folder and must not lead anywhere else",
    remedy: "use 1 to 100 of the characters A-Z a-z 0-9 . _ -, and start with neither . nor -",
    example: "../evil")

  public static let manifestContentVersion = Rule(
    "manifest/content-version", .error,
    "the content version is not valid",
    cause: "the version has letters, signs, empty parts, too many numbers, or numbers that are too large",
    importance: "iapkg cannot tell whether such a version is an update",
    remedy: "use 1 to 16 integers separated by periods, as in 1.0",
    example: "1.0-beta")

  public static let manifestLeadingZero = Rule(
    "manifest/leading-zero", .warning,
    "a number of the content version has a leading zero",
    cause: "the version was written like a date or a decimal number",
    importance: "1.01 is read as 1.1, which may not be intended",
    remedy: "write the number without the zero",
    example: "<string>1.01</string>")

  public static let manifestMisspelledKey = Rule(
    "manifest/misspelled-key", .warning,
    "a key looks like a misspelling of a required key",
    cause: "the key was typed by hand",
    importance: "readers ignore the value, although the manifest seems to be complete",
    remedy: "rename the key",
    example: "IAPProductionIdentifier")

  public static let manifestBinary = Rule(
    "manifest/binary", .note,
    "ContentInfo.plist is a binary property list",
    cause: "Xcode or plutil converted the file",
    importance: "it works everywhere, but it has no lines that reviews and reports can show",
    remedy: "nothing needs to be done, but XML is easier to review",
    example: "plutil -convert binary1 ContentInfo.plist")
}

extension Rule {
  /// The rules on the package's name and root, in report order. The array must have every rule declared below.
  static let packageRules: [Rule] = [
    packageExtension, packageRootItem, packageContentsMissing, packageContentsEmpty,
  ]

  public static let packageExtension = Rule(
    "package/extension", .error,
    "the file name of a package does not end in .pkg",
    cause: "the file was named .zip, or its name has no extension",
    importance: "stores and apps recognize packages by their extension",
    remedy: "rename the file so that its name ends in .pkg",
    example: "Book.zip")

  public static let packageRootItem = Rule(
    "package/root-item", .error,
    "there is something other than ContentInfo.plist and Contents at the root",
    cause: "there are files beside Contents, or the folder itself was packed instead of its items",
    importance: "apps get nothing from the root except the manifest and Contents",
    remedy: "move the item into Contents/ or remove it",
    example: "Book/ContentInfo.plist instead of ContentInfo.plist")

  public static let packageContentsMissing = Rule(
    "package/contents-missing", .error,
    "there is no folder Contents",
    cause: "the content is at the root, or in a folder with another name",
    importance: "only the folder Contents is installed",
    remedy: "put the content into a folder named Contents",
    example: "a package with ContentInfo.plist and Data/")

  public static let packageContentsEmpty = Rule(
    "package/contents-empty", .warning,
    "the folder Contents has no files",
    cause: "the folder was never filled, or it has junk files only",
    importance: "users would pay for nothing and download nothing",
    remedy: "put the content into Contents/",
    example: "iapkg create Book right after iapkg init has made the folder Book")
}

extension Rule {
  /// The rules on symbolic links, in report order. The array must have every rule declared below.
  static let linkRules: [Rule] = [
    linkAbsolute, linkEscapes, linkLoop, linkTarget, linkThroughLink, linkForbiddenPlace, linkDangling,
  ]

  public static let linkAbsolute = Rule(
    "link/absolute", .error,
    "the target of a link is an absolute path",
    cause: "the link was made with the full path of a file on the author's disk",
    importance: "on a device the link leads nowhere, or to a file of the device",
    remedy: "make the target relative, or replace the link with its file",
    example: "Contents/a -> /Users/me/a")

  public static let linkEscapes = Rule(
    "link/escapes", .error,
    "a link points outside Contents",
    cause: "the target is outside Contents, directly or through other links",
    importance: "reading or writing through the link reaches files that are not content",
    remedy: "point the link inside Contents/, or replace it with its file",
    example: "Contents/a -> ../../b")

  public static let linkLoop = Rule(
    "link/loop", .error,
    "a link leads back to itself",
    cause: "links point to each other",
    importance: "programs that follow the links never reach a file",
    remedy: "remove the link",
    example: "Contents/a -> b, Contents/b -> a")

  public static let linkTarget = Rule(
    "link/target", .error,
    "the target of a link is not a valid path",
    cause: "the target is empty, too long, not UTF-8, or has a NUL",
    importance: "readers differ in where the link leads",
    remedy: "remove the link",
    example: "a link entry without data")

  public static let linkThroughLink = Rule(
    "link/through-link", .error,
    "an entry is below a link",
    cause: "a link has the same path as the folder of another entry",
    importance: "unpacking writes to the target of the link",
    remedy: "move the entry to the folder that the link points to, or replace the link with a folder",
    example: "a link Contents/a -> /tmp and a file Contents/a/b")

  public static let linkForbiddenPlace = Rule(
    "link/forbidden-place", .error,
    "Contents or ContentInfo.plist is a link",
    cause: "Contents or ContentInfo.plist was replaced with a link",
    importance: "all content, or the identity of the package, would come from somewhere else",
    remedy: "replace the link with what it points to",
    example: "Contents -> ../Other")

  public static let linkDangling = Rule(
    "link/dangling", .warning, ignorable: true,
    "the target of a link does not exist",
    cause: "the target was renamed, removed, or not packed",
    importance: "opening the link fails on the device",
    remedy: "add the target or remove the link",
    example: "Contents/a -> missing.txt")
}

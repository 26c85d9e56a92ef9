extension Rule {
  /// The rules on sizes, in report order. The array must have every rule declared below.
  static let sizeRules: [Rule] = [
    sizeOverLimit, sizeNearLimit, sizeOverBudget,
  ]

  public static let sizeOverLimit = Rule(
    "size/over-limit", .error,
    "the content or the package is larger than the limit",
    cause: "the content or the package is larger than 2 GiB, or than a lower limit that was set",
    importance: "stores do not accept the package",
    remedy: "split the content into several products",
    example: "3 GB of video in one product")

  public static let sizeNearLimit = Rule(
    "size/near-limit", .warning, ignorable: true,
    "the content or the package is close to the published limit",
    cause: "the size is between 2,000,000,000 bytes and 2 GiB",
    importance: "the published limit is \"2 GB\", which may mean either size",
    remedy: "make the content smaller",
    example: "2,100,000,000 bytes of video")

  public static let sizeOverBudget = Rule(
    "size/over-budget", .error, ignorable: true,
    "a size of the product is above its budget",
    cause:
      "the package, a file, the number of files or the download of an update is above budget in .iapkg.yml",
    importance: "users on mobile networks wait longer, and cancel larger downloads",
    remedy: "make the content smaller, or raise the budget in .iapkg.yml",
    example: "a video of 80 MB where budget in .iapkg.yml has file: 50MB")
}

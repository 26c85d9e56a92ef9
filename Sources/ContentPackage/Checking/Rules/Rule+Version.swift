extension Rule {
  /// The rules on versions, in report order. The array must have every rule declared below.
  static let versionRules: [Rule] = [
    versionNotRaised, versionAlreadyPublished,
  ]

  public static let versionNotRaised = Rule(
    "version/not-raised", .error,
    "the content has changed but the version was not raised",
    cause: "content was added, removed or changed while the version stayed the same or became lower",
    importance: "devices that have the version keep the old content, so they never get the change",
    remedy: "raise ContentVersion with iapkg bump",
    example: "a new picture in a package that is still version 1.0")

  public static let versionAlreadyPublished = Rule(
    "version/already-published", .error,
    "the version was published before, or the content was withdrawn",
    cause:
      "the store has or had this version of the product, with other content, in another channel or withdrawn; or the "
      + "content is identical to the highest version, which was withdrawn",
    importance:
      "users and caches already have the published release, so it must not change under them, and withdrawn content "
      + "must not come back unnoticed",
    remedy: "raise ContentVersion with iapkg bump, and change withdrawn content or undo its withdrawal",
    example: "publishing version 1.0 again after its cover was replaced, or in the channel beta as well")
}

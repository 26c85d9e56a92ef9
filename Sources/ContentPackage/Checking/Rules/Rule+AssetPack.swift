extension Rule {
  /// The rules on folders of asset packs, in report order. The array must have every rule declared below.
  static let assetPackRules: [Rule] = [
    assetPackManifest, assetPackIdentifier, assetPackSelector, assetPackCollision, assetPackPolicy,
    assetPackLimit,
  ]

  public static let assetPackManifest = Rule(
    "asset-pack/manifest", .error,
    "the manifest of an asset pack is not valid",
    cause: "a key is missing, unknown or has a wrong value, or the file is not JSON",
    importance: "ba-package makes no archive, or one that the system does not accept",
    remedy: "correct Manifest.json; Documentation/schemas/asset-pack-manifest.schema.json describes it",
    example: "a downloadPolicy with both essential and onDemand")

  public static let assetPackIdentifier = Rule(
    "asset-pack/identifier", .warning, ignorable: true,
    "App Store Connect does not accept the ID of an asset pack; an ID that two packs share is an error",
    cause: "the ID has dots, underscores or other characters, or was copied",
    importance: "the upload fails, or one pack replaces another",
    remedy: "use letters, digits and hyphens; packs on a server of your own may have other characters",
    example: "the ID com.example.book")

  public static let assetPackSelector = Rule(
    "asset-pack/selector", .error,
    "a selector of an asset pack matches no file",
    cause: "a file was moved or renamed, or the selector is misspelled",
    importance: "the pack lacks files that the app expects",
    remedy: "correct the selector, or remove it",
    example: "the selector { \"file\": \"cover.png\" } in a pack without that file")

  public static let assetPackCollision = Rule(
    "asset-pack/collision", .error,
    "two files of one asset pack or of two packs have the same path",
    cause: "all packs of an app share one tree of files, and these packs can be on one device",
    importance: "the system does not define which file the app gets",
    remedy: "put the files of each pack into a folder of its own",
    example: "two packs with images/cover.png")

  public static let assetPackPolicy = Rule(
    "asset-pack/policy", .warning, ignorable: true,
    "the download policy or another key of an asset pack has a consequence that is easily missed",
    cause:
      "the policy lacks firstInstallation, or the manifest has keys that only some systems or hosts know",
    importance: "new users do not get the pack with the app",
    remedy: "add firstInstallation to installationEventTypes, unless the pack is only for updates",
    example: "the policy prefetch with subsequentUpdate alone")

  public static let assetPackLimit = Rule(
    "asset-pack/limit", .error,
    "the asset packs exceed a limit of an app",
    cause: "App Store Connect limits the number of asset packs of an app and the size of their archives",
    importance: "the upload of a pack fails",
    remedy: "merge or shrink packs, or host them on a server of your own",
    example: "more than 100 packs")
}

import ContentPackage
import Conversion
import Delivery
import Support

extension CommandError {
  /// Creates the exit code and message of an error about asset packs; nil for any other error.
  init?(assetPacks error: any Error) {
    switch error {
    case let error as ExportError: self.init(error)
    case let error as AssetPackHostError: self.init(error)
    case let error as OnDemandResourcesError: self.init(error)
    case let error as InvalidAssetPack:
      self.init(
        .configuration, "background-assets of \(error.product) does not match its content",
        findings: error.findings)
    case let error as AssetPackFileError:
      self.init(.configuration, "\(error.path) is not valid: \(error.message)", path: error.path)
    case let error as NoAssetPacks:
      self.init(
        .notAPackage, "no folder in \(error.path) has \(AssetPackManifest.fileName), expected asset packs",
        path: error.path)
    case let error as UnmanagedAssetPack:
      let (verb, past) = error.isArchive ? ("make", "made") : ("stage", "staged")
      self.init(
        .cannotCreate,
        (error.isChanged
          ? "\(error.path) was changed since iapkg \(past) it" : "iapkg did not \(verb) \(error.path)")
          + "; move it to another folder, or use --force to replace it", path: error.path)
    case let error as AssetPackToolMissing:
      self.init(
        .noInput,
        "there is no program \(error.tool); install Xcode 26 or Apple's Managed Background Assets Developer Tools "
          + "for Linux, and name the program with --ba-package", path: error.tool)
    case let error as AssetPackArchives.UnusablePack:
      self.init(
        .invalid, "the asset pack in \(error.folder) cannot be published: \(error.reason); use --pack")
    case let error as AssetPackArchives.DamagedArchive:
      self.init(
        .notAPackage,
        "\(error.path) cannot be published: \(error.reason); make it again with iapkg export --pack",
        path: error.path)
    case let error as AssetPackUploader.UploadError: self.init(error)
    default: return nil
    }
  }

  /// Creates the error for a folder whose asset packs have these findings.
  init(invalidPacks folder: String, _ findings: [Finding]) {
    self.init(
      .invalid,
      "the asset packs in \(folder) are not valid; iapkg validate --background-assets shows all findings",
      path: folder, findings: findings)
  }

  private init(_ error: AssetPackUploader.UploadError) {
    switch error {
    case .archived(let identifier):
      self.init(
        .invalid,
        "the asset pack \(identifier) was archived in App Store Connect, which never accepts its ID again; give the pack "
          + "another ID")
    case .changed(let identifier):
      self.init(
        .inputOutput,
        "the archive of \(identifier) changed while it was uploaded, and was not committed; run the command again"
      )
    case .otherSubmission(let platform):
      self.init(
        .cannotCreate,
        "a review submission for \(platform) is open in App Store Connect, with items that iapkg did not add; submit or "
          + "delete it there first")
    }
  }

  private init(_ error: OnDemandResourcesError) {
    func quoted(_ tags: [String]) -> String { "'\(tags.joined(separator: "', '"))'" }
    switch error {
    case .noIdentifier(let tags):
      self.init(
        .invalid,
        "the tags \(quoted(tags)) cannot form an asset pack ID, because one of them has no ASCII letter or digit; "
          + "rename it in the project"
      )
    case .sameIdentifier(let identifier, let tags, let others):
      self.init(
        .invalid,
        "the tags \(quoted(tags)) and \(quoted(others)) would both form the asset pack ID \(identifier), or IDs that "
          + "differ only in case; rename one in the project")
    case .sharedPath(let path, let identifier, let other):
      self.init(
        .invalid,
        "the asset packs \(identifier) and \(other) would share the path '\(path)', although each has a folder of its own; "
          + "rename one of their tags")
    }
  }

  private init(_ error: AssetPackHostError) {
    switch error {
    case .identifier(let text):
      self.init(
        .invalid,
        "the asset pack ID '\(text)' cannot be a part of an address, expected letters, digits, '.', '_' and '-'"
      )
    case .catalogFound(let store):
      self.init(
        .cannotCreate,
        "\(store) is a store of packages, and asset packs need a folder or prefix of their own", path: store)
    case .unknownPacks(let store, let packs):
      self.init(
        .noInput,
        "\(store) has no asset pack \(packs.map { String(displaying: $0.utf8) }.joined(separator: ", ")), and never had one; "
          + "expected an ID of the download manifest for --remove", path: store)
    case .manifestLost(let path, let packs):
      self.init(
        .cannotCreate,
        "\(path) is missing, and there are archives of \(packs.joined(separator: ", ")), which are not in the folder; "
          + "restore the manifest from a backup, export these packs too, or omit them with --new-manifest",
        path: path)
    case .damagedManifest(let path, let reason):
      self.init(
        .untrustworthy,
        "\(path) is not a download manifest: \(reason); restore it from a backup, or delete it to rebuild it",
        path: path)
    case .noManifest(let path):
      self.init(.unavailable, "\(path) is missing, expected a download manifest", path: path)
    case .otherBase(let path, let found, let expected):
      self.init(
        .invalid,
        "\(path) names addresses such as \(String(displaying: found.utf8)), expected addresses below \(expected); give the "
          + "--base-url with which the packs were published", path: path)
    case .manifestTooLarge(let path, let byteCount):
      self.init(
        .invalid,
        "\(path) would have \(byteCount) bytes, expected at most \(DownloadManifest.maximumByteCount); shorten the "
          + "userInfo of the packs, or publish fewer")
    case .versionsExhausted(let identifier):
      self.init(
        .invalid,
        "the asset pack \(identifier) has the maximum version, \(DownloadManifest.maximumNumber)"
      )
    }
  }

  private init(_ error: ExportError) {
    switch error {
    case .tooManyPacks(let count, let maximum):
      self.init(
        .invalid,
        "there are \(count) packages, expected at most \(maximum), the limit of an app; use --max-packs for another number"
      )
    case .collision(let product, let other) where product == other:
      self.init(.usage, "two packages have the product \(product); give only one of them")
    case .collision(let product, let other):
      self.init(
        .invalid,
        "the products \(product) and \(other) differ only in case, so that the files of their asset packs would collide; "
          + "export one of them for another app")
    case .reservedName(let product):
      self.init(
        .invalid,
        "the product \(product) has the name of the manifest of an asset pack, \(AssetPackManifest.fileName), "
          + "so that its files would collide with the manifest; expected a product with another name")
    case .sharedPath(let path, let product, let other):
      self.init(
        .invalid,
        "the asset packs of \(other) and \(product) would share the path '\(path)'; give one of them other fileSelectors"
      )
    case .noIdentifier(let product):
      self.init(
        .invalid,
        "the product \(product) has no letter or digit for an asset pack ID; name one with --asset-pack-id")
    case .identifierInUse(let identifier, let product, let other):
      self.init(
        .invalid,
        "the asset pack ID \(identifier) of \(product) is used by \(other); name another one for \(product) with "
          + "--asset-pack-id")
    case .archived(let identifier, let product):
      self.init(
        .invalid,
        "the asset pack ID \(identifier) is archived, and App Store Connect never accepts it again; name another one for "
          + "\(product) with --asset-pack-id")
    case .otherIdentifier(let product, let recorded, let wanted):
      self.init(
        .invalid,
        "the asset pack of \(product) has the ID \(recorded), found --asset-pack-id \(wanted); to replace the ID, mark the "
          + "old one in the file of IDs with \"archived\": true")
    }
  }
}

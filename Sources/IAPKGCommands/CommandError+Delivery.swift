import ContentPackage
import Delivery
import Support

extension CommandError {
  /// Creates the exit code and message of a delivery error; nil for any other error.
  init?(delivery error: any Error) {
    switch error {
    case let error as StoreError: self.init(error)
    case let found as IntegrityError:
      self.init(.untrustworthy, found.description.with(found.advice), path: found.place)
    case let error as SignatureError: self.init(.invalid, error.message.with(error.advice))
    case let error as PublishingError: self.init(error)
    case let error as FetchError: self.init(error)
    case let error as TrustError: self.init(error)
    default: return nil
    }
  }

  private init(_ error: StoreError) {
    let status: ExitStatus
    switch error.reason {
    case .file(let error):
      self.init(error)
      return
    case .noStore: status = .noInput
    case .conditionFailed, .conflict: status = .busy
    case .denied: status = .denied
    case .unreachable, .invalidResponse, .rangeIgnored, .missing: status = .unavailable
    case .tooLarge, .wrongListing: status = .untrustworthy
    case .unsuitable: status = .usage
    case .cancelled: status = .interrupted
    }
    self.init(status, error.message.with(error.advice), path: error.place)
  }

  init(_ error: FetchError) {
    switch error {
    case .noRelease(let product, let channel, let store):
      self.init(
        .noInput, "\(store) has no release of \(product) in the channel '\(channel)' that is not withdrawn",
        path: store)
    case .inRollout(let product, let version, let share):
      self.init(
        .noInput,
        "\(product) \(version) is in rollout (\(share.percentage)), and "
          + (share > .none
            ? "this Documents folder does not take part; try again later, or install the version with iapkg fetch "
              + "--content-version"
            : "it is paused until the publisher resumes it"))
    case .withdrawn(let product, let version, let reason):
      self.init(.invalid, "\(product) \(version) was withdrawn: \(reason)")
    case .appTooOld(let product, let version, let minimum):
      self.init(
        .invalid, "\(product) \(version) is for version \(minimum) of the app or later; update the app first"
      )
    case .appTooNew(let product, let version, let maximum):
      self.init(.invalid, "\(product) \(version) is for version \(maximum) of the app or earlier")
    case .expired(let store, let time):
      self.init(
        .untrustworthy,
        "the catalog of \(store) expired at \(time), so it may not be the newest; tell its publisher, or use "
          + "--allow-expired to read it nevertheless", path: store)
    case .trustExpired(let store, let version, let time):
      self.init(
        .untrustworthy,
        "trust document \(version) of \(store) expired at \(time), so its keys may have been revoked; use --allow-expired "
          + "to install nevertheless", path: store)
    case .originUnreadable(let product):
      self.init(
        .inputOutput,
        "the record of the origin of \(product) in Documents is damaged; name the store with iapkg fetch \(product) "
          + "--from STORE, and the keys that sign its catalog with --trust")
    case .storeUnreadable(let store):
      self.init(
        .inputOutput,
        "the record of the store \(store) in Documents is damaged; name the keys that sign its catalog with --trust",
        path: store)
    case .unfinished(let product, let choice, let store, let documents):
      let version = choice.contentVersion.map { " --content-version \($0)" } ?? ""
      let channel = choice.channel == .stable ? "" : " --channel \(choice.channel)"
      let folder =
        documents == DocumentsOptions.defaultFolder
        ? "" : " --into \(String(displaying: ShellWord.quoted(documents).utf8))"
      self.init(
        .noInput,
        "\(product) is not installed, and its download was interrupted; resume it with iapkg fetch \(product) "
          + "--from \(store.map { ShellWord.quoted(DisplayedStore.name($0)) } ?? "STORE")\(version)\(channel)\(folder)"
      )
    case .otherContent(let product, let version):
      self.init(.invalid, "\(product): \(Self.otherContent(of: version.text))")
    case .folderMissing(let product, let version, let lower):
      let downgrade = lower.map { "use --allow-downgrade to install \($0)" } ?? "wait for a newer release"
      self.init(
        .invalid,
        "\(product) \(version) is installed, but its folder is missing, and the store offers no release that restores "
          + "it; \(downgrade), or remove the product with iapkg remove \(product)")
    case .noDownload(let product):
      self.init(.noInput, "there is no unfinished download of \(product)")
    case .noOrigin(let product):
      self.init(
        .noInput,
        "\(product) has no recorded store; name one with iapkg fetch \(product) --from STORE")
    }
  }

  private init(_ error: PublishingError) {
    switch error {
    case .invalid(let path, let findings):
      self.init(
        Self.status(of: findings), "\(path) cannot be published", path: path,
        findings: findings.map { $0.rule == .versionNotRaised ? $0.allowingOlder : $0 })
    case .storeBehind(let store, let sequence, let remembered):
      self.init(
        .untrustworthy,
        "\(store) has catalog \(sequence), and this key signed catalog \(remembered) before, so packages that clients have "
          + "would be deleted; first \(RenewalAdvice.action(after: remembered)); then publish the releases that it "
          + "lists",
        path: store)
    case .releasesMissing(let store, let missing, let next):
      self.init(
        .untrustworthy,
        "the catalog of \(store) lacks entries that this key signed there: \(missing.list); it may be an "
          + "older state or that of another store: restore catalog.json from a backup; if the whole store was restored, "
          + "run iapkg catalog renew --at-least \(next), and publish or withdraw again the releases that it lists",
        path: store)
    case .belowChannel(let path, let finding):
      let found = finding.with(remedy: "use --allow-older to list an older version too")
      self.init(Self.status(of: [found]), "\(path) cannot be promoted", path: path, findings: [found])
    case .notAStore(let store, let found):
      self.init(
        .cannotCreate,
        "\(store) has no catalog.json, but other items, such as \(found); expected a store, or an empty or new folder or prefix",
        path: store)
    case .catalogLost(let store, let products):
      self.init(
        .cannotCreate,
        "\(store) has releases of \(Quantity.count(products, "product")) and no catalog.json; restore catalog.json "
          + "from a backup, or start a new catalog without these releases with --new-catalog of iapkg publish; clients "
          + "refuse the new one until iapkg catalog renew --at-least raises its sequence number above the last one",
        path: store)
    case .catalogMissing(let store, let sequence, let missing):
      self.init(
        .untrustworthy,
        "\(store) has no catalog.json, and this key signed catalog \(sequence) there"
          + (missing.isEmpty ? "" : ", with \(missing.list)")
          + ": its disk may not be mounted; mount it or restore the store, or start a new catalog without these "
          + "releases with --new-catalog of iapkg publish; clients refuse the new one until iapkg catalog renew "
          + "--at-least raises its sequence number above the last one", path: store)
    case .noCatalog(let store):
      self.init(.noInput, "\(store) has no catalog.json, expected a store", path: store)
    case .noProduct(let product, let store):
      self.init(.noInput, "the catalog of \(store) has no product \(product)", path: store)
    case .noVersion(let product, let version, let store):
      self.init(.noInput, "the catalog of \(store) has no version \(version) of \(product)", path: store)
    case .critical(let product, let version):
      self.init(
        .invalid, "\(product) \(version) is critical, so it skips rollouts; stop it with iapkg withdraw")
    case .noRollout(let product, let store):
      self.init(
        .noInput, "no version of \(product) in \(store) is in rollout; name the version", path: store)
    case .withdrawn(let product, let version, let reason):
      self.init(
        .invalid, "\(product) \(version) was withdrawn: \(reason); undo it first, with iapkg withdraw --undo")
    case .releasesLost(let product, let path, let isMissing):
      self.init(
        isMissing ? .unavailable : .untrustworthy,
        "\(path) is \(isMissing ? "missing" : "damaged"), and only this file lists the releases of \(product); restore it "
          + "from a backup or a copy of the store, for instance with iapkg catalog copy",
        path: path)
    case .keyNeeded(let store, let fingerprint):
      self.init(
        .invalid, "the catalog of \(store) is signed by \(fingerprint); give that key with --sign-with",
        path: store)
    case .otherKey(let store, let fingerprint, let given):
      self.init(
        .invalid,
        "the catalog of \(store) is signed by \(fingerprint), and the key given is \(given); if the catalog is "
          + "yours, use --new-key to change the key",
        path: store)
    case .signatureLost(let store, let sequence, let found):
      self.init(
        .untrustworthy,
        "the catalog of \(store) is \(found.map { "signed by \($0)" } ?? "not signed"), and this key signed catalog "
          + "\(sequence) of it, so someone else may have replaced it; restore catalog.json from a backup, and use "
          + "--new-key only if the current catalog is yours",
        path: store)
    case .clockBehind(let store, let published, let now):
      self.init(
        .invalid,
        "the catalog of \(store) was published at \(published), and the clock of this machine shows \(now); set the "
          + "clock, or use --ignore-clock if the other clock was wrong", path: store)
    case .clockUnusable(let year):
      self.init(
        .invalid,
        "the clock of this machine shows the year \(year), expected one from 1970 to 9999; set the clock")
    case .expiryUnknown(let store, let published, let expires):
      self.init(
        .invalid,
        "the catalog of \(store) was published at \(published) and expires at \(expires), which is not later; set the "
          + "lifetime of the next catalog with --expires", path: store)
    case .sequenceExhausted(let store, let sequence):
      self.init(
        .invalid,
        "the catalog of \(store) has the maximum sequence number, \(sequence); restore an earlier catalog.json from a "
          + "backup, and \(RenewalAdvice.action(after: sequence)), or publish to another store", path: store)
    case .unreadable(let path, let reason):
      self.init(.invalid, "no client could read \(path): \(reason)", path: path)
    case .copyAhead(let store, let sequence, let source, let sourceSequence):
      self.init(
        .untrustworthy,
        "\(store) has catalog \(sequence), and \(source) has catalog \(sourceSequence), which is older and never "
          + "replaces a newer one; if \(source) was restored from a backup, \(RenewalAdvice.action(after: sequence)) "
          + "there", path: store)
    case .copyDamaged(let store, let reason, let source):
      self.init(
        .untrustworthy,
        "\(reason); its key and number cannot be verified, so the catalog of \(source) may be an older state or another "
          + "store's: if it is the right one, replace the damaged one with --deep, and --trust with the key of \(source) "
          + "or --new-key for any key or none", path: store)
    case .copyDiffers(let store, let sequence, let source):
      self.init(
        .untrustworthy,
        "\(store) and \(source) both have a catalog \(sequence), and the two differ; if \(source) was restored from a "
          + "backup, run iapkg catalog renew on it", path: store)
    case .copyLoses(let store, let source, let lost):
      self.init(
        .untrustworthy,
        "the catalog of \(store) has \(lost.list), and that of \(source) does not: they may be different stores, or both were "
          + "changed; copy to another store, make the same changes in \(source), or use --replace if the catalog of "
          + "\(source) is the right one, for instance after iapkg withdraw --undo (iapkg catalog prune cannot be the "
          + "cause, because the catalog keeps pruned versions)",
        path: store)
    case .copyByOtherKey(let store, let fingerprint, let source, let found):
      self.init(
        .invalid,
        "the catalog of \(store) is signed by \(fingerprint), and that of \(source) "
          + (found.map { "by \($0)" } ?? "is not signed")
          + "; use --new-key to replace it", path: store)
    }
  }
}

extension [CatalogEntry] {
  /// The maximum number of entries that a message names.
  private static var maximumNamedCount: Int { 5 }

  /// The names of the first entries, and the number of the others.
  var list: String {
    let names = prefix(Self.maximumNamedCount).map(\.description).joined(separator: ", ")
    return names + (count > Self.maximumNamedCount ? " and \(count - Self.maximumNamedCount) more" : "")
  }
}

extension Finding {
  /// The finding with the option that publishes an older version.
  fileprivate var allowingOlder: Finding {
    with(remedy: "\(remedy), or use --allow-older for a fix of an older line")
  }
}

extension String {
  /// Returns this message followed by the advice, which names options of the command line.
  func with(_ advice: StoreAdvice?) -> String {
    let adviceText: String
    switch advice {
    case nil: return self
    case .trustKeys: adviceText = "if the publisher has another key now, name it with --trust"
    case .replaceKeys: adviceText = "name the current keys with --trust-only"
    case .renewCatalog(let sequence):
      adviceText =
        "if you are the publisher and restored a backup, "
        + (sequence < DocumentLimits.maximumRequestedSequence
          ? "the next catalog must be above \(sequence): see iapkg catalog renew --at-least"
          : RenewalAdvice.action(after: sequence))
    case .publishAgain:
      adviceText =
        "the catalog does not refer to it yet: publish again, and examine the storage if this happens again"
    case .trustDocument: adviceText = "name the first trust document of the store, trust/1.json, with --trust"
    case .signCatalog:
      adviceText =
        "install nothing from there, and tell the publisher, who examines it with iapkg trust show"
    case .trustDocumentLost:
      adviceText =
        "install nothing from there, and tell the publisher, who restores the document and the catalog from a later "
        + "backup or a copy of the store, or only the document and then runs iapkg catalog renew --at-least"
    case .token: adviceText = "give a valid one with --token-file"
    case .singlePublisher: adviceText = "use --single-publisher if only one process publishes at a time"
    }
    return "\(self); \(adviceText)"
  }
}

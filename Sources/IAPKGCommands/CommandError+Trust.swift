import Delivery

extension CommandError {
  /// Creates the exit code and message of an error about the keys of a store.
  init(_ error: TrustError) {
    switch error {
    case .keysNeeded(let store, let requirement, let given):
      self.init(
        .invalid,
        "trust document \(requirement.version) of \(store) requires signatures by \(requirement.description), and "
          + (given.isEmpty ? "no key was given" : "the keys given are \(given.joined(separator: " and "))")
          + "; give them with --sign-with, which can be repeated", path: store)
    case .severalKeys(let store):
      self.init(
        .invalid,
        "\(store) has no trust documents, so one key signs its catalog; make them with iapkg trust init",
        path: store)
    case .catalogUnaccepted(let store, let requirement, let found):
      self.init(
        .untrustworthy,
        "the catalog of \(store) is signed by \(found.isEmpty ? "no key" : found.joined(separator: " and ")), and trust "
          + "document \(requirement.version) requires \(requirement.description); restore catalog.json from a backup, or examine "
          + "it and sign exactly this one with the digest that iapkg trust show prints", path: store)
    case .trustPresent(let store, let version):
      self.init(
        .invalid,
        "\(store) already has \(version == 1 ? "a trust document" : "\(version) trust documents"); change the keys with "
          + "iapkg trust add, remove and threshold", path: store)
    case .noTrust(let store):
      self.init(
        .noInput, "\(store) has no trust documents; make the first one with iapkg trust init", path: store)
    case .noTrustDraft(let store):
      self.init(
        .noInput,
        "\(store) has no draft of a trust document to sign; make one with iapkg trust init, add, remove or threshold",
        path: store)
    case .trustForgotten(let store, let version):
      self.init(
        .untrustworthy,
        "\(store) has other trust documents than those up to \(version) that one of the keys given saw there, so someone "
          + "else may have replaced them; restore the folder trust from a backup, or, if the store is a new one, delete the "
          + "file that ends in .iapkg beside the key", path: store)
    case .draftUnseen(let store, let version):
      self.init(
        .untrustworthy,
        "\(store) has a draft of trust document \(version) with other changes, and not all of the keys given signed it; "
          + "examine it with iapkg trust show, then repeat the command without --sign-with and sign with iapkg trust "
          + "sign, or delete trust/draft.json if it is not yours", path: store)
    case .otherDraft(let store, let found, let expected):
      self.init(
        .untrustworthy,
        "the draft in \(store) has the SHA-256 \(found), expected \(expected); another process changed it, so examine it "
          + "again with iapkg trust show", path: store)
    case .catalogUnknown(let store, let sequence, let reason, let digest):
      self.init(
        .untrustworthy,
        "catalog \(sequence) of \(store) \(reason), so someone else may have put it there; compare it with your backup, "
          + "and restore catalog.json if it is not yours; otherwise sign exactly this one with iapkg trust sign --catalog "
          + "\(digest)", path: store)
    case .trustUnsuitable(let store, let reason):
      self.init(.invalid, "the next trust document of \(store) cannot be made: \(reason)", path: store)
    case .uselessKey(let store, let fingerprint, let version):
      self.init(
        .invalid,
        "the key \(fingerprint) may not sign trust document \(version) of \(store); iapkg trust show lists the keys that "
          + "may", path: store)
    case .copyDiffers(let store, let version, let source):
      self.init(
        .untrustworthy,
        "\(store) and \(source) both have a trust document \(version), and the two differ; use --new-key to replace it",
        path: store)
    case .copyDamaged(let store, let version, let source):
      self.init(
        .untrustworthy,
        "trust document \(version) of \(store) is damaged; replace it with that of \(source) with --deep",
        path: store)
    case .copyAhead(let store, let version, let source, let sourceVersion):
      self.init(
        .untrustworthy,
        "\(store) has a trust document \(version), and \(source) has \(sourceVersion == 0 ? "none" : "only \(sourceVersion)"); "
          + "a copy never removes trust documents; restore the missing ones in \(source)", path: store)
    }
  }
}

extension TrustRequirement {
  fileprivate var description: String { "\(threshold) of \(keys.joined(separator: " or "))" }
}

import Delivery

extension CommandError {
  /// Creates the exit code and message of an error about the keys of a store.
  init(_ error: TrustError) {
    switch error {
    case .keysNeeded(let store, let demand, let given):
      self.init(
        .invalid,
        "trust document \(demand.version) of \(store) demands signatures by \(demand.description), and "
          + (given.isEmpty ? "no key was given" : "the keys given are \(given.joined(separator: " and "))")
          + "; give them with --sign-with, which can be repeated", path: store)
    case .severalKeys(let store):
      self.init(
        .invalid,
        "\(store) has no trust documents, so one key signs its catalog; make them with iapkg trust init",
        path: store)
    case .catalogUnaccepted(let store, let demand, let found):
      self.init(
        .untrustworthy,
        "the catalog of \(store) is signed by \(found.isEmpty ? "no key" : found.joined(separator: " and ")), and trust "
          + "document \(demand.version) demands \(demand.description); if the catalog is yours, sign it with iapkg trust "
          + "sign, and if not, put catalog.json back from a backup first", path: store)
    case .trustPresent(let store, let version):
      self.init(
        .invalid,
        "\(store) has \(version == 1 ? "a trust document" : "\(version) trust documents") already; change the keys with "
          + "iapkg trust add, remove and threshold", path: store)
    case .noTrust(let store):
      self.init(
        .noInput, "\(store) has no trust documents; make the first one with iapkg trust init", path: store)
    case .noTrustDraft(let store):
      self.init(
        .noInput,
        "\(store) has no draft of a trust document to sign; make one with iapkg trust init, add, remove or threshold",
        path: store)
    case .trustUnsuitable(let store, let reason):
      self.init(.invalid, "the next trust document of \(store) cannot be made: \(reason)", path: store)
    case .uselessKey(let store, let fingerprint, let version):
      self.init(
        .invalid,
        "the key \(fingerprint) is none of those that may sign trust document \(version) of \(store); iapkg trust show "
          + "lists them", path: store)
    case .copyDiffers(let store, let version, let source):
      self.init(
        .untrustworthy,
        "\(store) and \(source) both have a trust document \(version), and the two differ; use --new-key to replace it",
        path: store)
    case .copyAhead(let store, let version, let source, let sourceVersion):
      self.init(
        .untrustworthy,
        "\(store) has a trust document \(version), and \(source) has \(sourceVersion == 0 ? "none" : "only \(sourceVersion)"); a copy never goes back: put the "
          + "missing ones back into \(source)", path: store)
    }
  }
}

extension TrustDemand {
  fileprivate var description: String { "\(threshold) of \(keys.joined(separator: " or "))" }
}

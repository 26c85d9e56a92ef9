import ContentPackage
import Installation
import Support
import TestSupport
import Testing

@testable import Delivery

/// A client of the stores, which has a `Documents` folder.
extension FetchBench {
  func access(
    _ documents: String = "Documents", _ context: WorkContext = WorkContext()
  ) -> DocumentsAccess {
    DocumentsAccess(path: folder.place(documents), isDurable: false, context: context)
  }

  func keys(_ signers: TestSigner...) throws -> TrustedKeys {
    try TrustedKeys(text: Array(signers.map(\.line).joined(separator: "\n").utf8))
  }

  func fetcher(
    from store: String = "store", into documents: String = "Documents", trusting keys: TrustedKeys? = nil,
    replacing replacesKeys: Bool = false, allowingExpired allowsExpired: Bool = false,
    options: PackageInstaller.Options = .init(), _ context: WorkContext = WorkContext()
  ) throws -> ReleaseFetcher {
    try ReleaseFetcher(
      from: store.contains("://") ? store : folder.place(store), trusting: keys, replacingKeys: replacesKeys,
      allowsExpired: allowsExpired,
      installer: PackageInstaller(options: options, access: access(documents, context)))
  }

  @discardableResult
  func fetch(
    _ product: ProductIdentifier? = nil, _ choice: ReleaseChoice = ReleaseChoice(),
    from store: String = "store", into documents: String = "Documents", trusting keys: TrustedKeys? = nil,
    replacing replacesKeys: Bool = false, allowingExpired allowsExpired: Bool = false,
    options: PackageInstaller.Options = .init()
  ) throws -> ReleaseFetcher.Result {
    try fetcher(
      from: store, into: documents, trusting: keys, replacing: replacesKeys, allowingExpired: allowsExpired,
      options: options
    ).fetch(product ?? self.product, choice)
  }

  /// Updates a product from its origin, as far as the purpose goes.
  @discardableResult
  func update(
    _ product: ProductIdentifier? = nil, for purpose: ReleaseFetcher.Purpose = .installation,
    joiningRollouts joinsRollouts: Bool = false, into documents: String = "Documents",
    trusting keys: TrustedKeys? = nil, replacing replacesKeys: Bool = false,
    options: PackageInstaller.Options = .init()
  ) throws -> ReleaseFetcher.Outcome {
    let request = ReleaseFetcher.UpdateRequest(joiningRollouts: joinsRollouts, for: purpose)
    let installer = PackageInstaller(options: options, access: access(documents))
    return try ReleaseFetcher.update(product ?? self.product, request, installer: installer) { store in
      try ReleaseFetcher(from: store, trusting: keys, replacingKeys: replacesKeys, installer: installer)
    }
  }

  /// Returns the installed version of a product if all of its files are intact.
  func intactVersion(
    of product: ProductIdentifier? = nil, in documents: String = "Documents"
  ) throws -> String? {
    let products = try InstalledProducts(access(documents)).status(verifying: true).products
    let status = products.first { $0.productIdentifier == product ?? self.product }
    return status.flatMap { $0.inspection.isIntact ? $0.installed.contentVersion.text : nil }
  }

  /// The path of the record of a store.
  func recordPath(of store: String = "store", in documents: String = "Documents") -> String {
    let identity = StoreLocation.identity(of: folder.place(store))
    return "\(documents)/.iapkg/stores/\(StoreRecord.name(of: identity))"
  }

  /// Returns the record of a store; nil if there is none.
  func record(of store: String = "store", in documents: String = "Documents") throws -> StoreRecord? {
    let path = recordPath(of: store, in: documents)
    return folder.has(path) ? try StoreRecord(bytes: folder.bytes(path)) : nil
  }
}

extension ReleaseFetcher.Outcome {
  /// The result of an installation; nil for another outcome.
  var fetched: ReleaseFetcher.Result? { if case .fetched(let result) = self { result } else { nil } }
  /// The product that is up to date; nil for another outcome.
  var current: CurrentProduct? { if case .current(let current) = self { current } else { nil } }
  /// The plan of a survey or a dry run; nil for another outcome.
  var plan: ReleaseFetcher.Plan? { if case .planned(let plan, _, _) = self { plan } else { nil } }
  /// The result that a dry run foresees; nil if an installation would begin.
  var refusal: PackageInstaller.Result? {
    if case .planned(_, let refusal, _) = self { refusal } else { nil }
  }
}

public import ContentPackage
import HTTPTransport
public import Installation
import SafeFiles
package import Support
import SystemPackage
import ZipArchive

/// Installs releases from a store; reuses local files and downloads only the missing bytes.
///
/// Everything received is verified before use: the catalog by its signature, each other document by the digest in its
/// parent, names, kinds and links by the rules, and each file by its SHA-256.
///
/// ```swift
/// let installer = PackageInstaller(access: DocumentsAccess(path: "Documents"))
/// let keys = try TrustedKeys.read("catalog-key.pub")
/// let fetcher = try ReleaseFetcher(from: "https://example.com/store", trusting: keys, installer: installer)
/// let result = try fetcher.fetch(product)
/// print(result.installation.outcome, result.transferredBytes)
/// ```
public struct ReleaseFetcher: Sendable {
  /// The transfer plan of a release, made before anything changes.
  public struct Plan: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version to install.
    public let contentVersion: ContentVersion
    /// The installed version; nil if there is none.
    public let installedVersion: ContentVersion?
    /// Bytes of the index and of the package that will be requested.
    public let transferBytes: Int64
    /// Bytes of the index and of the missing parts of the package. Independent of the connection, unlike
    /// `transferBytes`, which may count the whole package.
    package let updateBytes: Int64
    /// Bytes of content that are present locally.
    public internal(set) var reusedBytes: Int64
    /// The store, in the form of `ProductOrigin.store`.
    package let store: String
    /// The signatures of the catalog.
    package let signature: CatalogSignature
    /// The reason why the installed version was withdrawn; nil if it was not.
    package let withdrawn: String?
    /// The share of the rollout of the version; nil if all clients may install it.
    public let share: RolloutShare?
    /// Whether the update is critical: this release, or a release between the installed version and this one, is
    /// critical for the installed version.
    public let isCritical: Bool
    /// The keys and values that the publisher added to the version for the app.
    public let metadata: [String: String]
    /// The languages of the notes of the version, which `ReleaseFetcher.notes(of:for:)` reads.
    public var noteLanguages: [LanguageTag] { notes.map(\.language) }
    let notes: [ReleaseNote]
    /// The newest release in rollout in which the client does not take part; nil if there is none.
    package let pending: RolloutState?
    /// Whether the catalog was accepted without a known key.
    public let isFirstContact: Bool
    let choice: ReleaseChoice
    /// Whether one request reads the whole package.
    let usesOneRequest: Bool
    /// Bytes of the package that are missing locally.
    let missingBytes: Int64
    /// The sequence number of the catalog.
    let sequence: Int64
    /// The data needed to execute the plan; nil in a summary.
    var details: Details?
    /// The requests made and the bytes received so far.
    package let meter: TransferMeter

    /// The plan without the data needed to execute it, which includes every name of the release.
    package var summary: Plan {
      var plan = self
      plan.details = nil
      return plan
    }
  }

  struct Details: Sendable {
    let content: ReleaseContent
    let reused: ReusedFiles
    let provenance: Provenance
  }

  /// The installed versions that a release does not replace.
  package enum KeptVersion: Sendable {
    case none
    /// Higher versions, as after a switch to a channel with an older release. The same version is installed again.
    case newer
    /// Higher versions and the same version: the release is an update.
    case sameOrNewer
    /// Higher versions, and the same version if the folder of the product exists: the release is an update, or restores
    /// the folder.
    case presentOrNewer
    /// Higher versions, and a complete installation of the same version. The installer reports an incomplete one.
    case completeOrNewer
  }

  /// The treatment of the files that an earlier attempt received.
  package enum Resumption: Sendable {
    /// Moves the needed files and deletes the others.
    case moving
    /// Counts the files and changes nothing.
    case counting
  }

  /// The result of checking a product for a release to install.
  package enum UpdateCheck: Sendable {
    case fetch(Plan)
    /// The store has no newer release than the installed one.
    case current(CurrentProduct)
  }

  /// The result of fetching one product.
  public struct Result: Sendable {
    /// The executed plan, with the version and the reused bytes.
    public let plan: Plan
    /// The result of the installation, with the findings. Unacceptable content is an outcome, not an error.
    public let installation: PackageInstaller.Result
    /// Bytes of the documents and of the package received from the store.
    public let transferredBytes: Int64
    /// The number of objects and ranges requested.
    public let requests: Int

    /// Whether this version was already installed.
    public var isUpToDate: Bool { installation.outcome == .upToDate }

    /// Whether the installation was not refused.
    var isAccepted: Bool { !installation.outcome.isRefusal }
  }

  let reader: StoreReader
  let installer: PackageInstaller
  var access: DocumentsAccess { installer.access }
  var context: WorkContext { access.context }
  /// The store, in the form of `ProductOrigin.store`.
  let location: String
  /// The keys that the caller trusts.
  let named: NamedKeys?
  let allowsExpired: Bool
  let transfers: TransferProgress
  /// Receives the error if a catalog cannot be recorded in `Documents`; nil to ignore it.
  let unrecorded: OneTimeReport<any Error>?

  /// Creates a fetcher for a store.
  ///
  /// - Parameters:
  ///   - reader: The reader of the store.
  ///   - location: The store, in the form of `ProductOrigin.store`.
  ///   - named: The keys that the caller trusts, in addition to the recorded ones.
  ///   - allowsExpired: Whether an expired catalog or trust document is accepted.
  ///   - installer: The installer of the releases.
  ///   - transfers: Reports the progress of each product.
  ///   - unrecorded: Receives the error if a catalog cannot be recorded in `Documents`; nil to ignore it.
  package init(
    _ reader: StoreReader, location: String, trusting named: NamedKeys? = nil, allowsExpired: Bool,
    installer: PackageInstaller, transfers: TransferProgress = TransferProgress(),
    unrecorded: OneTimeReport<any Error>? = nil
  ) {
    self.reader = reader
    self.location = location
    self.named = named
    self.allowsExpired = allowsExpired
    self.installer = installer
    self.transfers = transfers
    self.unrecorded = unrecorded
  }

  /// Returns the result of `work`; nil if the `Documents` folder does not exist.
  func ifDocumentsExist<Found>(_ work: () throws -> Found?) throws -> Found? {
    do {
      return try work()
    } catch let error as FileError where error.errno == .noSuchFileOrDirectory {
      return nil
    }
  }
}

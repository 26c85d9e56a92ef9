#if COMMAND_LINE_TOOL
package import ContentPackage
import HTTPTransport
import Support
import Synchronization

/// Verifies that a store has all objects that its catalog refers to.
package struct StoreVerifier: Sendable {
  /// The result of a verification.
  package struct Report: Sendable {
    /// The verified catalog.
    package let current: CurrentCatalog
    /// The accepted signatures of the catalog.
    package let signature: CatalogSignature
    /// The newest trust document; nil for a store with a single key.
    package let trust: TrustDocument?
    /// The number of products in the catalog.
    package let products: Int
    /// The number of releases in the readable release lists.
    package let releases: Int
    /// The missing, damaged, wrong or unreadable objects.
    package let problems: [Problem]
    /// Whether the store stopped responding, so that not all objects were verified.
    package let isIncomplete: Bool
  }

  /// An object that is missing, does not match the catalog, or cannot be read.
  package struct Problem: Sendable {
    /// An `IntegrityError` or a `StoreError`.
    package let error: any Error
    /// The address of the object; safe to print.
    package let place: String
    /// One lower-case sentence without a full stop, safe to print.
    package let message: String
    /// Whether the object is missing, as in a mirror that is still incomplete.
    package let isMissing: Bool

    /// Creates a problem from an error; nil if the error does not concern one object.
    init?(_ error: any Error) {
      self.error = error
      switch error {
      case let error as IntegrityError:
        (place, message, isMissing) = (error.place, error.description, false)
      case let error as StoreError where error.reason == .missing:
        place = error.place
        message = "\(error.place) is missing, although the catalog refers to it"
        isMissing = true
      case let error as StoreError where ![.cancelled, .noStore, .unsuitable].contains(error.reason):
        (place, message, isMissing) = (error.place, error.message, false)
      default: return nil
      }
    }
  }

  /// The number of concurrent requests, which mostly wait.
  static let jobs = 8

  private let reader: StoreReader
  private let progress: WorkProgress
  private let maximumUnreachableCount: Int

  /// Creates a verifier of a store.
  ///
  /// - Parameters:
  ///   - reader: The reader of the store.
  ///   - progress: Receives the progress.
  ///   - maximumUnreachableCount: The number of objects without a response after all retries at which a verification
  ///     ends.
  package init(_ reader: StoreReader, progress: WorkProgress, maximumUnreachableCount: Int = 8) {
    self.reader = reader
    self.progress = progress
    self.maximumUnreachableCount = maximumUnreachableCount
  }

  /// Verifies all referenced objects: every byte if `isDeep`, otherwise only existence and size. Restarts with a newer
  /// catalog if an object is missing, because the newer one may not refer to that object.
  ///
  /// - Throws: `IntegrityError` for the catalog itself, `PublishingError.noCatalog`, `StoreError`, `Interruption`.
  package func verify(isDeep: Bool) throws -> Report {
    var report = try verify(try reader.requiredCatalog(), isDeep: isDeep)
    for _ in 1..<OptimisticRetry.maximumAttemptCount where report.problems.contains(where: \.isMissing) {
      guard let newer = try reader.newerCatalog(than: report.current.catalog.sequence) else { break }
      report = try verify(newer, isDeep: isDeep)
    }
    return report
  }

  private func verify(_ current: CurrentCatalog, isDeep: Bool) throws -> Report {
    let catalog = current.catalog
    let unreachable = UnreachableObjects(maximum: maximumUnreachableCount)
    progress.begin(
      .verifying, reader.store.name, totalBytes: isDeep ? try packageBytes(in: catalog) : 0)
    let found = try reader.forEachList(in: catalog) { product, _ in
      var found = ProductResult()
      try verify(product, in: catalog, isDeep: isDeep, unreachable, &found)
      return [found]
    }
    let trust = try self.trust(of: current)
    return Report(
      current: current, signature: trust.signature, trust: trust.newest, products: catalog.products.count,
      releases: found.reduce(0) { $0 + $1.releases },
      problems: (trust.problems + found.flatMap(\.problems)).sorted { $0.message < $1.message },
      isIncomplete: unreachable.isExhausted)
  }

  /// Verifies all trust documents from the first, and that the newest one accepts the catalog.
  private func trust(of current: CurrentCatalog) throws -> (
    newest: TrustDocument?, signature: CatalogSignature, problems: [Problem]
  ) {
    var newest: TrustDocument?
    var verified: CatalogSignature?
    do {
      newest = try reader.allTrust(of: current).last?.envelope.document
      let signature = try reader.signature(of: current)
      verified = signature
      if let newest { try reader.check(current, against: newest) }
      return (newest, signature, [])
    } catch {
      guard let problem = Problem(error) else { throw error }
      let unverified = CatalogSignature(
        keys: [], trust: current.catalog.trust, unusableTrust: unusableTrust(problem))
      return (newest, verified ?? unverified, [problem])
    }
  }

  /// Returns the trust document that is unusable because of a problem.
  private func unusableTrust(_ problem: Problem) -> UnusableTrust {
    let name = problem.place.split(separator: "/").last?.split(separator: ".").first ?? ""
    guard let version = Int64(name), problem.place == reader.place(of: .trust(version)) else {
      return UnusableTrust(version: nil, defect: .unreadable)
    }
    if problem.isMissing { return UnusableTrust(version: version, defect: .missing) }
    // A document that was read does not follow the preceding one.
    let isRead = if case .some(.some) = reader.trustDocuments.find(version) { true } else { false }
    return UnusableTrust(version: version, defect: isRead ? .invalid : .unreadable)
  }

  /// Returns the total size in bytes of the objects in all readable release lists.
  private func packageBytes(in catalog: Catalog) throws -> Int64 {
    let unreachable = UnreachableObjects(maximum: maximumUnreachableCount)
    return try reader.forEachList(in: catalog) { product, _ in
      guard !unreachable.isExhausted else { return [] }
      do {
        let releases = try reader.releases(of: product, in: catalog)?.releases ?? []
        return [releases.flatMap(\.objects).reduce(0) { $0 + $1.byteCount }]
      } catch {
        guard Problem(error) != nil else { throw error }
        unreachable.count(error)
        return []
      }
    }.reduce(0 as Int64, +)
  }

  /// The result for a product.
  private struct ProductResult: Sendable {
    var releases = 0
    var problems: [Problem] = []
  }

  private func verify(
    _ product: ProductIdentifier, in catalog: Catalog, isDeep: Bool, _ unreachable: UnreachableObjects,
    _ found: inout ProductResult
  ) throws {
    func collect(_ body: () throws -> Void) throws {
      guard !unreachable.isExhausted else { return }
      do { try body() } catch {
        guard let problem = Problem(error) else { throw error }
        unreachable.count(error)
        found.problems.append(problem)
      }
    }
    var releases: [Release] = []
    try collect {
      let list = try reader.releases(of: product, in: catalog)
      releases = list?.releases ?? []
      guard let catalogVersion = list?.catalogVersion,
        catalogVersion == catalog.products[product]?.contentVersion
      else {
        throw IntegrityError(
          reader.place(of: .catalog),
          "names a version of \(product) that is not the newest of its releases")
      }
    }
    found.releases = releases.count
    for release in releases {
      guard isDeep else {
        for reference in release.objects { try collect { try checkSize(of: reference) } }
        continue
      }
      try collect {
        try reader.readIndex(of: release) { _ in }
        progress.advance(by: release.indexByteCount)
      }
      try collect { try reader.check(release.package) { progress.advance(by: Int64($0.byteCount)) } }
      for note in release.notes {
        try collect {
          _ = try reader.text(of: note)
          progress.advance(by: note.object.byteCount)
        }
      }
    }
  }

  private func checkSize(of reference: ObjectReference) throws {
    let place = reader.place(of: reference.path)
    guard let status = try reader.store.status(of: reference.path) else { throw StoreReader.missing(place) }
    guard status.byteCount == reference.byteCount else {
      if status.isWebPage {
        throw StoreError(
          .invalidResponse, place, WebPage.message(at: place, expected: StorePath.kind(ofObjectAt: place)))
      }
      throw StoreReader.encodingError(place, status.encoding)
        ?? IntegrityError(place, "has \(status.byteCount) bytes, expected \(reference.byteCount)")
    }
  }
}

/// Counts the objects for which the store did not respond.
private final class UnreachableObjects: Sendable {
  private let maximum: Int
  private let found = Mutex(0)

  init(maximum: Int) { self.maximum = maximum }

  var isExhausted: Bool { found.withLock(\.self) >= maximum }

  func count(_ error: any Error) {
    if (error as? StoreError)?.reason == .unreachable { found.withLock { $0 += 1 } }
  }
}
#endif

package import ContentPackage
import Support
import Synchronization

/// Verifies that a store has all objects that its catalog refers to.
package struct StoreVerifier: Sendable {
  /// The result of a verification.
  package struct Report: Sendable {
    package let current: CurrentCatalog
    package let products: Int
    package let releases: Int
    /// The missing, damaged or wrong objects.
    package let problems: [Problem]
  }

  /// An object that is missing, or is not what the catalog refers to.
  package struct Problem: Sendable {
    /// The address of the object; safe to print.
    package let place: String
    /// One lower-case sentence without a full stop, safe to print.
    package let message: String
    /// Whether the object is missing, which a mirror repairs when it is complete.
    package let isMissing: Bool

    /// - Returns: Nil for an error that does not concern one object.
    init?(_ error: any Error) {
      switch error {
      case let error as IntegrityError:
        (place, message, isMissing) = (error.place, error.description, false)
      case let error as StoreError where error.reason == .missing:
        place = error.place
        message = "\(error.place) is missing, although the catalog refers to it"
        isMissing = true
      default: return nil
      }
    }
  }

  /// The number of concurrent requests, which mostly wait.
  static let jobs = 8

  private let reader: StoreReader
  private let progress: WorkProgress

  package init(_ reader: StoreReader, progress: WorkProgress) {
    self.reader = reader
    self.progress = progress
  }

  /// Verifies all referenced objects: every byte if `isDeep`, otherwise only existence and size. Begins again if an
  /// object is missing that a newer catalog may not refer to.
  ///
  /// - Throws: `IntegrityError` for the catalog itself, `PublishingError.noCatalog`, `StoreError`, `Interruption`.
  package func verify(isDeep: Bool) throws -> Report {
    var report = try verify(try reader.requiredCatalog(), isDeep: isDeep)
    for _ in 1..<OptimisticRetry.attempts where report.problems.contains(where: \.isMissing) {
      guard let newer = try reader.newerCatalog(than: report.current.catalog.sequence) else { break }
      report = try verify(newer, isDeep: isDeep)
    }
    return report
  }

  private func verify(_ current: CurrentCatalog, isDeep: Bool) throws -> Report {
    let products = current.catalog.products.keys.sorted { $0.text < $1.text }
    let found = try WorkerPool.collect(count: products.count, jobs: Self.jobs) {
      { index in [try Self.releases(of: products[index], in: current.catalog, by: reader)] }
    }
    var problems = found.compactMap(\.problem)
    let releases = found.flatMap(\.releases)
    progress.begin(
      .verifying, reader.store.name,
      totalBytes: isDeep ? releases.flatMap(\.objects).reduce(0) { $0 + $1.byteCount } : 0)
    problems += try WorkerPool.collect(count: releases.count, jobs: Self.jobs) {
      { index in try problemsOf(releases[index], isDeep: isDeep) }
    }
    return Report(
      current: current, products: products.count, releases: releases.count,
      problems: problems.sorted { $0.message < $1.message })
  }

  private struct Found: Sendable {
    var releases: [Release] = []
    var problem: Problem?
  }

  private static func releases(
    of product: ProductIdentifier, in catalog: Catalog, by reader: StoreReader
  ) throws -> Found {
    do {
      let releases = try reader.releases(of: product, in: catalog)
      guard let headline = releases?.headline, headline == catalog.products[product]?.contentVersion else {
        return Found(
          releases: releases?.releases ?? [],
          problem: Problem(
            IntegrityError(
              reader.place(of: .catalog),
              "names a version of \(product) that is not the newest of its releases")))
      }
      return Found(releases: releases?.releases ?? [])
    } catch {
      guard let problem = Problem(error) else { throw error }
      return Found(problem: problem)
    }
  }

  private func problemsOf(_ release: Release, isDeep: Bool) throws -> [Problem] {
    var problems: [Problem] = []
    func collect(_ body: () throws -> Void) throws {
      do { try body() } catch {
        guard let problem = Problem(error) else { throw error }
        problems.append(problem)
      }
    }
    if isDeep {
      try collect {
        try reader.readIndex(of: release) { _ in }
        progress.advance(by: release.indexByteCount)
      }
      try collect { try reader.check(release.package) { progress.advance(by: Int64($0.byteCount)) } }
    } else {
      for reference in release.objects {
        try collect { try checkSize(of: reference) }
      }
    }
    return problems
  }

  private func checkSize(of reference: ObjectReference) throws {
    let place = reader.place(of: reference.path)
    guard let status = try reader.store.status(of: reference.path) else { throw StoreReader.missing(place) }
    guard status.byteCount == reference.byteCount else {
      throw StoreReader.encoded(place, status.encoding)
        ?? IntegrityError(place, "has \(status.byteCount) bytes, expected \(reference.byteCount)")
    }
  }
}

import ContentPackage
import PackageForge
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// Forged packages of the book, with a cover and a page, and their installation.
extension BookPlace {
  static let live = "Documents/com.example.book"
  static let work = "Documents/.iapkg"
  /// The folder of the first kept files.
  static let kept = "\(work)/kept/com.example.book/1"

  var access: DocumentsAccess { DocumentsAccess(path: documents, isDurable: false) }
  var products: InstalledProducts { InstalledProducts(access) }

  func installer(_ options: PackageInstaller.Options = .init()) -> PackageInstaller {
    PackageInstaller(options: options, access: access)
  }

  /// Forges a package and returns its path. The page names the version unless `page` is its text; `change` modifies the
  /// archive.
  func forge(
    _ version: String, product: String = "com.example.book", page: String? = nil,
    _ change: (inout ForgedArchive) -> Void = { _ in }
  ) throws -> String {
    var archive = ForgedArchive.book(productIdentifier: product, contentVersion: version)
    let name = "Contents/pages/one.txt"
    archive[name] = .file(name, page ?? "page of \(version)")
    change(&archive)
    let package = "\(product)-\(version).pkg"
    try folder.write(archive.bytes(), to: package)
    return folder.place(package)
  }

  /// Installs versions of the book, one after another.
  ///
  /// - Returns: The last result.
  @discardableResult
  func install(
    _ versions: String..., with options: PackageInstaller.Options = .init(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PackageInstaller.Result {
    var last: PackageInstaller.Result?
    for version in versions {
      let result = try installer(options).install(forge(version))
      #expect(result.outcome == .installed, sourceLocation: sourceLocation)
      last = result
    }
    return try #require(last)
  }

  /// Returns the status of the book, with its contents verified.
  func status() throws -> InstalledProducts.Status {
    try #require(try products.status(of: [product], verifying: true).products.first)
  }

  func remove(
    force isForced: Bool = false, dryRun isDryRun: Bool = false
  ) throws -> InstalledProducts.Change {
    try products.remove(product, force: isForced, dryRun: isDryRun)
  }

  /// Returns the paths relative to the folder of the test.
  func relative(_ paths: some Collection<String>) -> [String] {
    paths.map { $0.replacing("\(path)/", with: "") }
  }

  /// Returns the case of an error with its paths and texts, relative to the folder of the test; nil for an error that has no path.
  func summary(of error: (any Error)?) -> String? {
    if let error = error as? FileError { return relative(["cannot \(error.operation) \(error.path)"]).first }
    let parts: [String]
    switch error as? InstallationError {
    case .unsuitable(let path, let found): parts = ["unsuitable", path, found]
    case .otherKind(let path, let found, let expected): parts = ["other kind", path, found, expected]
    case .unmanaged(let path, let found): parts = ["unmanaged", path, found]
    case .unrecorded(let path, let items): parts = ["unrecorded"] + items.map { "\(path)/\($0.escaped)" }
    case .modifiedFiles(_, let files): parts = ["modified"] + files
    case .keptFiles(_, let files): parts = ["kept"] + files
    case .previousDamaged(_, let version, _, let files): parts = ["damaged", version.text] + files
    default: return nil
    }
    return relative(parts).joined(separator: ": ")
  }
}

extension InstallationLayout {
  var other: InstallationLayout { self == .flat ? .versioned : .flat }

  /// Returns the folder of the version in use.
  func current(_ version: String) -> String {
    self == .flat ? BookPlace.live : "\(BookPlace.live)/\(version)"
  }

  /// The folder that contains the folders of previous versions.
  var versions: String { self == .flat ? "\(BookPlace.work)/previous/com.example.book" : BookPlace.live }

  /// Returns the folder of a previous version.
  func previous(_ version: String) -> String { "\(versions)/\(version)" }
}

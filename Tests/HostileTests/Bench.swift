import ContentPackage
import Installation
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing
import ZipArchive

/// A separate folder for one package, removed with everything in it.
final class Bench: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.path }
  var package: String { folder.place("hostile.pkg") }

  init(_ bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    try write(bytes)
  }

  /// Overwrites the bytes of the package.
  func write(_ bytes: [UInt8]) throws { try folder.write(bytes, to: "hostile.pkg") }

  func validate(_ limits: Limits = Limits()) throws -> [Finding] {
    try PackageValidator(context: WorkContext(limits: limits, jobs: 1)).validate(package).findings
  }

  /// Installs the package unless a finding is an error.
  func install(into documents: String, _ limits: Limits = Limits()) throws -> PackageInstaller.Result {
    let context = WorkContext(limits: limits, jobs: 1)
    let installer = PackageInstaller(
      access: DocumentsAccess(path: documents, isDurable: false, context: context))
    return try installer.install(package)
  }

  /// Checks that the package is not installed: without a folder `Documents`, with an empty one, and with an older
  /// version of the product installed.
  func expectNoTrace(_ limits: Limits, _ sourceLocation: SourceLocation) throws {
    try expectNoChange(of: path, installingInto: folder.place("Documents"), limits, sourceLocation)
    try folder.makeFolder("Documents")
    try expectNoChange(of: path, installingInto: folder.place("Documents"), limits, sourceLocation)
    try Self.installed.withLock { installed in
      let documents = try installed ?? Self.makeInstalled()
      installed = documents
      try expectNoChange(of: documents.path, installingInto: documents.path, limits, sourceLocation)
    }
  }

  private func expectNoChange(
    of root: String, installingInto documents: String, _ limits: Limits, _ sourceLocation: SourceLocation
  ) throws {
    let before = try Snapshot(root)
    do {
      let outcome = try install(into: documents, limits).outcome
      #expect(outcome == .invalid, sourceLocation: sourceLocation)
    } catch is InstallerPackageFound {}  // an installer package of Xcode is a separate error
    let after = try Snapshot(root)
    #expect(after == before, sourceLocation: sourceLocation)
  }

  /// Checks that everything beneath `Contents` in the package is installed.
  func expectInstallation(_ sourceLocation: SourceLocation) throws {
    let outcome = try install(into: folder.place("Documents")).outcome
    #expect(outcome == .installed, sourceLocation: sourceLocation)
    let items = try PackageSource.open(package).items
    let expected = items.filter { $0.isContent && $0.kind != .folder }.compactMap(\.path.withoutFirst)
    let installed = try FileTree.walk("\(path)/Documents/com.example.book")
    let found = installed.filter { $0.status.kind != .folder }.map { EntryPath(bytes: $0.relativePath) }
    #expect(found.sorted() == expected.sorted(), sourceLocation: sourceLocation)
  }

  /// A folder in which an older version of the product is installed; shared by all tests, since none may change it.
  private static let installed = Mutex<Bench?>(nil)

  private static func makeInstalled() throws -> Bench {
    let bench = try Bench(ForgedArchive.book(contentVersion: "0.9").bytes())
    let outcome = try bench.install(into: bench.path).outcome
    #expect(outcome == .installed)
    return bench
  }
}

/// Everything in a folder, for detecting changes. The times of folders are omitted, since items may have been created
/// and removed again.
struct Snapshot: Equatable {
  private struct Item: Equatable {
    let path: [UInt8]
    let kind: FileStatus.Kind
    let permissions: UInt16
    let identity: FileIdentity
    let linkTarget: [UInt8]?
    let time: FileStatus.Time?
    let bytes: [UInt8]
  }

  private let items: [Item]

  init(_ root: String) throws {
    let tree = try FileTree.open(root)
    items = try tree.items().map { item in
      let isFile = item.status.kind == .file
      let file = isFile ? try tree.openFile(item.relativePath) : nil
      return Item(
        path: item.relativePath, kind: item.status.kind, permissions: item.status.permissions,
        identity: item.status.identity, linkTarget: item.linkTarget,
        time: isFile ? item.status.modificationTime : nil,
        bytes: try file.map { try $0.bytes(at: 0, count: Int($0.byteCount)) } ?? [])
    }
  }
}

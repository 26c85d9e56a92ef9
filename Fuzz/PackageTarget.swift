import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// Validates a package and, if it is accepted, decodes it completely and installs it in an in-memory file system.
enum PackageTarget {
  /// Limits the decoded size to little more than the smallest file with segments, so that decompression bombs do not take
  /// long.
  private static let context = WorkContext(limits: Limits(bytes: 5 << 20), jobs: 1)
  private static let folder = Environment["IAPKG_FUZZ_SCRATCH"] ?? FileSystem.temporaryFolder

  static func run(_ input: [UInt8], keeping accepted: AcceptedPackages?) {
    do {
      try check(input, keeping: accepted)
    } catch is InstallerPackageFound {
      require(input.starts(with: "xar!".utf8), "taken for an installer package")
    } catch {
      fatalError("a package is accepted or rejected, but: \(error)")
    }
  }

  private static func check(_ input: [UInt8], keeping accepted: AcceptedPackages?) throws {
    let inputFolder = try InputFolder(in: folder)
    defer { inputFolder.remove() }
    try inputFolder.write(input, as: "input.pkg")
    let path = "\(inputFolder.path)/input.pkg"
    let validator = PackageValidator(context: context)
    let report = try validator.validate(path)
    for finding in report.findings {
      let text = (finding.message + (finding.path?.escaped ?? "")).unicodeScalars
      require(!text.contains(where: \.isHiddenInText), "a message that is not safe to print: \(finding)")
    }
    let documents = "\(inputFolder.path)/Documents"
    let installer = PackageInstaller(
      access: DocumentsAccess(path: documents, isDurable: false, context: context))
    let result = try installer.install(path)
    require(result.report.findings == report.findings, "validation and installation have different findings")
    switch result.outcome {
    case .installed:
      require(report.isValid, "installed an invalid package")
      accepted?.keep(input)
    default:
      require(!report.isValid, "refused a valid package")
      let trace = try FileSystem.status(of: documents, followingLinks: false)
      require(trace == nil, "a refused package left a folder behind")
    }
  }
}

/// An empty folder for one input.
private final class InputFolder {
  private static let name = Array("input".utf8)

  let path: String
  private let parent: DirectoryHandle

  init(in folder: String) throws(FileError) {
    parent = try DirectoryHandle.open(folder)
    path = "\(folder)/input"
    remove()
    try parent.makeFolder(Self.name)
  }

  func write(_ bytes: [UInt8], as name: String) throws(FileError) {
    var file = try parent.openFolder(Self.name).createFile(name.utf8)
    try file.write(unsafe bytes.span.bytes)
    try file.close()
  }

  func remove() { try? parent.removeTree(Self.name) }
}

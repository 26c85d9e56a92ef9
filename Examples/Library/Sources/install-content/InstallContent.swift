import ContentPackage
import Installation
import Support

/// Installs a package into a folder of products, and prints the progress.
@main struct InstallContent {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let package = arguments.first, let folder = arguments.dropFirst().first else {
      print("usage: install-content PACKAGE DOCUMENTS")
      return
    }
    let result = try install(package, into: folder)
    for finding in result.report.findings {
      print("\(finding.severity.rawValue): \(finding.path?.escaped ?? package): \(finding.message)")
    }
    switch result.outcome {
    case .installed: print("installed \(result.files) files")
    case .upToDate: print("is already installed")
    default: print("not installed: \(result.outcome)")
    }
    for product in try InstalledProducts(DocumentsAccess(path: folder)).status(verifying: true).products {
      let state = product.inspection.isIntact ? "intact" : "not as it was installed"
      print("\(product.productIdentifier) \(product.installed.contentVersion): \(state)")
    }
  }

  static func install(_ package: String, into folder: String) throws -> PackageInstaller.Result {
    let progress = WorkProgress()
    let cancellation = Cancellation()  // call cancel() from any thread
    let context = WorkContext(cancellation: cancellation, progress: progress)
    let documents = DocumentsAccess(path: folder, context: context)
    let installer = PackageInstaller(access: documents)
    return try progress.watched(after: .milliseconds(500)) { state in
      print("\(state.activity): \(Int((state.fraction ?? 0) * 100)) %")
    } during: {
      try installer.install(package)
    }
  }
}

import ContentPackage
import Delivery
import Installation
import Support

/// Downloads or updates a product from a store into a folder of products, and prints the progress.
@main struct FetchContent {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 4, let product = ProductIdentifier(arguments[0]) else {
      print("usage: fetch-content PRODUCT STORE KEYFILE DOCUMENTS")
      return
    }
    let result = try fetch(product, from: arguments[1], trusting: arguments[2], into: arguments[3])
    switch result.installation.outcome {
    case .installed: print("installed \(product) \(result.plan.contentVersion)")
    case .upToDate: print("\(product) \(result.plan.contentVersion) is already installed")
    default: print("not installed: \(result.installation.outcome)")
    }
    if result.plan.reusedBytes > 0 { print("reused \(result.plan.reusedBytes) bytes") }
  }

  static func fetch(
    _ product: ProductIdentifier, from store: String, trusting keyFile: String, into folder: String
  ) throws -> ReleaseFetcher.Result {
    let cancellation = Cancellation()  // call cancel() from any thread
    let transfers = TransferProgress(pausedBy: PauseRequest())  // pause() and resume() too
    let context = WorkContext(cancellation: cancellation)
    let installer = PackageInstaller(access: DocumentsAccess(path: folder, context: context))
    let keys = try TrustedKeys.read(keyFile)
    let fetcher = try ReleaseFetcher(
      from: store, trusting: keys, installer: installer, transfers: transfers)
    return try transfers.watched(after: .milliseconds(500)) { transfers in
      for one in transfers { print("\(one.product) \(one.state): \(Int(one.fraction * 100)) %") }
    } during: {
      try fetcher.fetch(product)
    }
  }
}

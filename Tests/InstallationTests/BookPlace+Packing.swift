#if COMMAND_LINE_TOOL
import ContentPackage
import Foundation
import Testing

extension BookPlace {
  func review(_ version: String) throws -> ContentReview {
    let info = ContentInfo(
      productIdentifier: product, contentVersion: try #require(ContentVersion(version)))
    return try PackageBuilder().review(.open(contents: path + "/Book", info))
  }

  /// Builds a package of the content.
  func makePackage(_ version: String) throws -> String {
    let package = "\(path)/Book-\(version).pkg"
    try PackageBuilder().write(review(version), to: package)
    return package
  }
}
#endif

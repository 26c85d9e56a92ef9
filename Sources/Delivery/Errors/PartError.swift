public import ContentPackage
public import Installation
import Support

/// A reason why a download in parts cannot continue.
public enum PartError: Error, Sendable, CustomStringConvertible {
  /// The store is a folder or a bucket, whose objects have no addresses for downloads by the system.
  case noAddress(store: String)
  /// The installation would be refused, with this result.
  case refused(PackageInstaller.Result)
  /// The product has no download in parts.
  case noPlan(ProductIdentifier)
  /// No part of the download of the product has this name; the part may belong to an earlier release.
  case unknownPart(ProductIdentifier, id: String)
  /// The file has neither the size of the part nor that of the package.
  case wrongSize(DownloadPart, found: Int64)
  /// The file has other bytes than the part; the reason is safe to print.
  case otherContent(DownloadPart, reason: String)
  /// These parts were not accepted yet, or their files are lost.
  case incomplete(ProductIdentifier, [DownloadPart])
  /// The store has a release other than the planned one.
  case releaseChanged(ProductIdentifier, planned: ContentVersion, available: ContentVersion)

  /// One lower-case sentence without a full stop, safe to print.
  public var description: String {
    switch self {
    case .noAddress(let store):
      "\(String(displaying: store.utf8)) has no addresses, expected a web server (https://) for a download in parts"
    case .refused(let result): "the release would not be installed: \(result.outcome)"
    case .noPlan(let product): "\(product) has no download in parts; plan one"
    case .unknownPart(let product, let id):
      "the download of \(product) has no part \(String(displaying: id.utf8)); plan it again"
    case .wrongSize(let part, let found):
      "the file for part \(part.id) has \(found) bytes, expected \(part.byteCount); download it again"
    case .otherContent(let part, let reason):
      "the file for part \(part.id) has other bytes; download it again: \(reason)"
    case .incomplete(let product, let parts):
      "the download of \(product) lacks "
        + (parts.count == 1 ? "a part; download it" : "\(parts.count) parts; download them")
    case .releaseChanged(let product, let planned, let available):
      "the store has \(product) \(available) instead of the planned \(planned); plan the download again"
    }
  }
}

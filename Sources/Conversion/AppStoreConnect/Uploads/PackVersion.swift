import Delivery
import StrictJSON
import Support

/// A version of an asset pack in App Store Connect, with the states of its releases.
package struct PackVersion: Sendable {
  /// The identifier in the API.
  let id: String
  /// The version number, which App Store Connect assigns.
  package let number: Int64
  /// The state of the upload and the processing of the archive.
  package let state: PackVersionState
  /// The errors of a version that failed; safe to print.
  package let errors: [String]
  /// The warnings about a version; safe to print.
  package let warnings: [String]
  /// The state in the App Store; nil before there is a release.
  package let release: PackReleaseState?
  /// The states in TestFlight, as App Store Connect names them; nil before there is a release. Not safe to print.
  package let (internalTest, externalTest): (String?, String?)

  /// Whether App Store Connect still awaits or processes the archive.
  package var isPending: Bool { state == .processing || state == .awaitingUpload }

  /// Reads a version from a resource of the API.
  ///
  /// - Throws: `IntegrityError` for values that the API does not document.
  init(_ resource: AppStoreResource, including included: [JSONValue], at path: String) throws(IntegrityError)
  {
    id = resource.id
    guard let text = try resource.text("version"), let number = Int64(text), number > 0 else {
      throw IntegrityError(path, "has a version without a number")
    }
    self.number = number
    state = try resource.state()
    errors = resource.messages("stateDetails", "errors")
    warnings = resource.messages("stateDetails", "warnings")
    func release(_ name: String, _ type: String) throws(IntegrityError) -> AppStoreResource? {
      guard let id = resource.related(name) else { return nil }
      guard let found = included.first(where: { $0["type"] == .string(type) && $0["id"] == .string(id) })
      else {
        return nil
      }
      return try AppStoreResource(found, type, at: path)
    }
    self.release = try release("appStoreRelease", "backgroundAssetVersionAppStoreReleases")?.state()
    internalTest = try release("internalBetaRelease", "backgroundAssetVersionInternalBetaReleases")?.text(
      "state")
    externalTest = try release("externalBetaRelease", "backgroundAssetVersionExternalBetaReleases")?.text(
      "state")
  }
}

extension AssetPackUploader {
  private static let included = "include=internalBetaRelease,externalBetaRelease,appStoreRelease"

  /// Requests a version with the states of its releases.
  func version(_ id: String) throws -> PackVersion {
    let path = "/v1/backgroundAssetVersions/\(id)"
    let (resource, included) = try client.resource(path, Self.included, of: "backgroundAssetVersions")
    return try PackVersion(resource, including: included, at: path)
  }

  /// Returns the version of a pack with the highest number; nil if there is none.
  func newestVersion(of pack: String) throws -> PackVersion? {
    let path = "/v1/backgroundAssets/\(pack)/versions"
    let (found, included) = try client.list(path, Self.included, of: "backgroundAssetVersions")
    return try found.map { try PackVersion($0, including: included, at: path) }.max { $0.number < $1.number }
  }
}

import Delivery
import StrictJSON
import Support

/// A version of an asset pack in App Store Connect, with the states of its releases.
package struct PackVersion: Sendable {
  /// The identifier in the API.
  let id: String
  /// The number that App Store Connect gave it.
  package let number: Int64
  package let state: PackVersionState
  /// The errors of a version that failed; safe to print.
  package let errors: [String]
  package let warnings: [String]
  /// The state in the App Store; nil before there is a release.
  package let release: PackReleaseState?
  /// The states in TestFlight, as App Store Connect names them; nil before there is a release.
  package let (internalTest, externalTest): (String?, String?)

  /// Whether App Store Connect has the archive and has not finished with it.
  package var isUnderWay: Bool { state == .processing || state == .awaitingUpload }

  /// - Throws: `IntegrityError` for values that the API does not document.
  init(_ resource: AppStoreResource, including included: [JSONValue], at place: String) throws(IntegrityError)
  {
    id = resource.id
    guard let text = try resource.text("version"), let number = Int64(text), number > 0 else {
      throw IntegrityError(place, "has a version without a number")
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
      return try AppStoreResource(found, type, at: place)
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

  /// Returns a version.
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

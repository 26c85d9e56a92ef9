package import HTTPTransport
import SafeFiles

/// The location and the credentials of a bucket, from the variables and files of the AWS tools.
package struct S3Settings: Sendable {
  var credentials: S3Credentials
  var region: String
  /// The address of a store other than Amazon's.
  var endpoint: HTTPAddress?
  /// The maximum number of attempts of a request; nil for the default.
  var attempts: Int?
  /// The maximum size of an object uploaded in one request, in bytes; larger ones are uploaded in parts.
  var maximumSingleUploadSize: Int64 = 64 << 20
  /// The size of a part in bytes.
  var part: Int64 = 16 << 20
  /// The maximum number of objects in a listing.
  var listedObjects = DocumentLimits.listedObjects

  package init(
    credentials: S3Credentials, region: String = Self.defaultRegion, endpoint: HTTPAddress? = nil,
    attempts: Int? = nil
  ) {
    self.credentials = credentials
    self.region = region
    self.endpoint = endpoint
    self.attempts = attempts
  }

  package static let defaultRegion = "us-east-1"

  /// Reads the settings from environment variables, given by `variable`, and the files that they specify.
  ///
  /// - Throws: `.denied` if there are no credentials, `.unsuitable` if a setting is wrong, `.file`.
  package static func fromEnvironment(
    _ variable: (String) -> String?
  ) throws(StoreError) -> S3Settings {
    let profile = variable("AWS_PROFILE") ?? "default"
    let home = variable("HOME") ?? ""
    let shared: S3ProfileFile
    let config: S3ProfileFile
    do throws(SourceError) {
      shared = try .read(variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials")
      config = try .read(variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config")
    } catch { throw StoreError(error, reading: "\(home)/.aws") }
    // In both files, the section of the profile `default` has no prefix.
    let settings =
      (config.settings("profile \(profile)") ?? (profile == "default" ? config.settings(profile) : nil) ?? [:])
      .merging(shared.settings(profile) ?? [:]) { _, secret in secret }

    let endpoint =
      variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") ?? settings["endpoint_url"]
    return S3Settings(
      credentials: try credentials(variable, profile: profile, settings),
      region: variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"] ?? defaultRegion,
      endpoint: try endpoint.map { text throws(StoreError) in try address(text) },
      attempts: try variable("AWS_MAX_ATTEMPTS").map { text throws(StoreError) in try number(text) })
  }

  private static func credentials(
    _ variable: (String) -> String?, profile: String, _ settings: [String: String]
  ) throws(StoreError) -> S3Credentials {
    if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
      return S3Credentials(
        accessKey: key, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
    }
    if let key = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"] {
      return S3Credentials(
        accessKey: key, secretKey: secret, sessionToken: settings["aws_session_token"])
    }
    throw StoreError(
      .denied, profile,
      "there are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the "
        + "profile '\(profile)' aws_access_key_id and aws_secret_access_key in ~/.aws/credentials")
  }

  private static func address(_ text: String) throws(StoreError) -> HTTPAddress {
    do throws(HTTPError) { return try HTTPAddress(text) } catch {
      throw StoreError(
        .unsuitable, "AWS_ENDPOINT_URL",
        "the endpoint in AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is wrong: \(error.message)")
    }
  }

  private static func number(_ text: String) throws(StoreError) -> Int {
    guard let number = Int(text), number > 0 else {
      throw StoreError(
        .unsuitable, "AWS_MAX_ATTEMPTS", "AWS_MAX_ATTEMPTS is '\(text)', expected a number above 0")
    }
    return number
  }
}

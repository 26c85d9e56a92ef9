package import HTTPTransport
import SafeFiles

/// The credentials, region and endpoint of a bucket, from the environment variables and files of the AWS tools.
package struct S3Settings: Sendable {
  var credentials: S3Credentials
  var region: String
  /// The address of a server other than Amazon's; nil for Amazon's.
  var endpoint: HTTPAddress?
  /// The maximum number of attempts of a request; nil for the default.
  var maximumAttemptCount: Int?
  /// The maximum size in bytes of an object uploaded in one request; larger ones are uploaded in parts.
  var maximumSingleUploadSize: Int64 = 64 << 20
  /// The size of a part in bytes.
  var partSize: Int64 = 16 << 20
  /// The maximum number of objects in a listing.
  var maximumListedObjectCount = DocumentLimits.maximumListedObjectCount

  /// Creates settings, by default for Amazon's servers in `defaultRegion`.
  package init(
    credentials: S3Credentials, region: String = Self.defaultRegion, endpoint: HTTPAddress? = nil,
    maximumAttemptCount: Int? = nil
  ) {
    self.credentials = credentials
    self.region = region
    self.endpoint = endpoint
    self.maximumAttemptCount = maximumAttemptCount
  }

  /// The region of a bucket if no setting names one.
  package static let defaultRegion = "us-east-1"

  /// Reads the settings from environment variables, given by `variable`, and from the configuration files of the AWS
  /// tools.
  ///
  /// - Throws: `.denied` if there are no credentials, `.unsuitable` if a setting is wrong, `.file`.
  package static func fromEnvironment(
    _ variable: (String) -> String?
  ) throws(StoreError) -> S3Settings {
    let profile = variable("AWS_PROFILE") ?? "default"
    func file(_ name: String, or standard: String) throws(StoreError) -> S3ProfileFile {
      let path = variable(name) ?? "\(variable("HOME") ?? "")/.aws/\(standard)"
      do throws(SourceError) { return try .read(path) } catch { throw StoreError(error, reading: path) }
    }
    let shared = try file("AWS_SHARED_CREDENTIALS_FILE", or: "credentials")
    let config = try file("AWS_CONFIG_FILE", or: "config")
    // In the config file, the name of a section begins with "profile", which may be omitted for the default profile.
    let settings =
      (config.settings("profile \(profile)") ?? (profile == "default" ? config.settings(profile) : nil) ?? [:])
      .merging(shared.settings(profile) ?? [:]) { _, secret in secret }

    let endpoint =
      variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") ?? settings["endpoint_url"]
    return S3Settings(
      credentials: try credentials(variable, profile: profile, settings),
      region: variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"] ?? defaultRegion,
      endpoint: try endpoint.map { text throws(StoreError) in try address(text) },
      maximumAttemptCount: try variable("AWS_MAX_ATTEMPTS").map { text throws(StoreError) in try number(text)
      })
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

import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import Delivery

@Suite struct S3SettingsTests {
  @Test func `prefers variables to files`() throws {
    let variables = [
      "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c",
      "AWS_REGION": "eu-west-1",
      "AWS_DEFAULT_REGION": "elsewhere", "AWS_ENDPOINT_URL": "https://elsewhere.example",
      "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9000", "AWS_MAX_ATTEMPTS": "3", "HOME": "/nonexistent",
    ]
    let settings = try S3Settings.fromEnvironment { variables[$0] }
    #expect(settings.credentials.accessKey == "a")
    #expect(settings.credentials.secretKey == "b")
    #expect(settings.credentials.sessionToken == "c")
    #expect(settings.region == "eu-west-1")
    #expect(settings.endpoint?.description == "http://127.0.0.1:9000/")
    #expect(settings.maximumAttemptCount == 3)
  }

  @Test func `reads a profile from both files`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      [default]
      aws_access_key_id = other
      # a comment
      [ours]
      aws_access_key_id = key ; the rest
      aws_secret_access_key=se=cret
      """, to: "credentials")
    try folder.write(
      """
      [profile ours]
      region = eu-north-1
      s3 =
        region = nested
      endpoint_url = https://store.example/base/
      """, to: "config")
    let variables = [
      "AWS_PROFILE": "ours", "AWS_SHARED_CREDENTIALS_FILE": folder.place("credentials"),
      "AWS_CONFIG_FILE": folder.place("config"),
    ]
    let settings = try S3Settings.fromEnvironment { variables[$0] }
    #expect(settings.credentials.accessKey == "key")
    #expect(settings.credentials.secretKey == "se=cret")
    #expect(settings.region == "eu-north-1")
    #expect(
      try S3Location("s3://bucket").address(settings).description == "https://store.example/base/bucket")
  }

  @Test func `an address with a password is refused without repeating it`() {
    let error = #expect(throws: StoreError.self) { try S3Location("s3://key:secret@bucket/prefix") }
    #expect(error?.message == "the address names a user or password, expected none")
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func `reads the null device as an empty file`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.place("config"), withDestinationPath: "/dev/null")
    var variables = [
      "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
      "AWS_CONFIG_FILE": folder.place("config"),
    ]
    #expect(try S3Settings.fromEnvironment { variables[$0] }.region == S3Settings.defaultRegion)
    variables["AWS_CONFIG_FILE"] = "/dev/zero"
    let error = #expect(throws: StoreError.self) { try S3Settings.fromEnvironment { variables[$0] } }
    #expect(error?.place == "/dev/zero")
  }

  @Test func `the scheme of a bucket's address may have capital letters`() throws {
    #expect(throws: StoreError.self) { try S3Location("S3://bucket") }
    #expect(try S3Location(StoreLocation.withPlainScheme("S3://bucket/prefix")).prefix == "prefix/")
  }

  @Test func `denies access without credentials`() {
    #expect(reason { _ = try S3Settings.fromEnvironment { _ in nil } } == .denied)
  }

  @Test func `names a wrong endpoint`() {
    let variables = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_ENDPOINT_URL": "ftp://a"]
    #expect(reason { _ = try S3Settings.fromEnvironment { variables[$0] } } == .unsuitable)
  }

  @Test(arguments: [
    ("s3://bucket", nil, "https://bucket.s3.us-east-1.amazonaws.com"),
    ("s3://bucket/", nil, "https://bucket.s3.us-east-1.amazonaws.com"),
    ("s3://my.bucket/a", nil, "https://s3.us-east-1.amazonaws.com/my.bucket"),
    ("s3://bucket", "http://127.0.0.1:9000", "http://127.0.0.1:9000/bucket"),
    ("s3://bucket", "https://s3.eu-west-1.amazonaws.com", "https://bucket.s3.eu-west-1.amazonaws.com"),
  ])
  func `derives the address of a bucket`(_ text: String, _ endpoint: String?, _ address: String) throws {
    var settings = S3Settings(credentials: S3Credentials(accessKey: "a", secretKey: "b"))
    settings.endpoint = try endpoint.map { try HTTPAddress($0) }
    #expect(try S3Location(text).address(settings).description == address)
  }

  @Test(arguments: [
    "", "s3://", "s3://a", "bucket", "s3://bucket//a", "s3://bucket/../a", "s3://bucket/./a", "s3:/bucket",
    "s3://buc ket", "s3://buc?ket", "s3://..bucket",
  ])
  func `refuses other locations`(_ text: String) {
    #expect(reason { _ = try S3Location(text) } == .unsuitable)
  }

  @Test func `reads the times of lists`() {
    #expect(S3Store.seconds("2009-10-12T17:50:30.000Z") == 1_255_369_830)
    #expect(S3Store.seconds("2009-10-12") == nil)
  }
}

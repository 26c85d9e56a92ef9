import Foundation

/// How a bucket on loopback is started, and how programs reach it.
package enum BucketScript {
  package static let accessKey = "TESTKEY"
  package static let secretKey = "TESTSECRET"

  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Scripts/s3-stand-in").path

  /// The command line of `Scripts/s3-stand-in`, with faults, which are JSON objects, and options; see there.
  package static func words(
    _ folder: String, faults: [String] = [], options: [String] = []
  ) -> [String] {
    [Python.path, "-S", path, folder] + faults.flatMap { ["--fault", $0] } + options
  }

  /// What a publisher and a server find in their environment.
  package static func environment(port: String) -> [String: String] {
    [
      "AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_REGION": "us-east-1",
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "no_proxy": "127.0.0.1",
    ]
  }
}

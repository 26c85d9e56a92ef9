import Foundation

/// The command line and the environment for a bucket on loopback.
package enum BucketScript {
  package static let accessKey = "TESTKEY"
  package static let secretKey = "TESTSECRET"

  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Scripts/s3-stand-in").path

  /// The command line of `Scripts/s3-stand-in`, with faults (JSON objects) and options; see the script.
  package static func words(
    _ folder: String, faults: [String] = [], options: [String] = []
  ) -> [String] {
    [Python.path, "-S", path, folder] + faults.flatMap { ["--fault", $0] } + options
  }

  /// The environment of a publisher and a server.
  package static func environment(port: String) -> [String: String] {
    [
      "AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_REGION": "us-east-1",
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "no_proxy": "127.0.0.1",
    ]
  }
}

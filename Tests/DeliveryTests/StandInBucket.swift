import Foundation
import PackageForge
import Support
import TestSupport

@testable import Delivery
@testable import HTTPTransport

/// A bucket of the stand-in server, with faults.
final class StandInBucket: Sendable {
  let folder: TemporaryFolder
  let port: String
  private let server: AttendedProgram

  /// Starts the script with faults and options.
  init(faults: [String] = [], options: [String] = []) throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("buckets/bucket")
    server = try AttendedProgram(
      BucketScript.words(folder.place("buckets"), faults: faults, options: ["--until-eof"] + options))
    port = try server.line(0)
  }

  /// Returns one line for each request.
  func log() throws -> [String] {
    String(decoding: try folder.bytes("buckets.log"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func bytes(_ path: String) throws -> [UInt8] { try folder.bytes("buckets/bucket/prefix/\(path)") }

  func store(
    _ credentials: S3Credentials = S3Credentials(
      accessKey: BucketScript.accessKey, secretKey: BucketScript.secretKey),
    bucket: String = "bucket", isSinglePublisher: Bool = false,
    listedObjects: Int = DocumentLimits.maximumListedObjectCount, cancellation: Cancellation = Cancellation()
  ) throws -> S3Store {
    try S3Store(
      S3Location("s3://\(bucket)/prefix"), port: port, credentials,
      isSinglePublisher: isSinglePublisher,
      maximumSingleUploadSize: 5 << 20, part: 1 << 20, listedObjects: listedObjects,
      cancellation: cancellation)
  }
}

/// A server of moto, which may not be installed.
enum MotoServer {
  private static let program = """
    import sys
    from moto.server import ThreadedMotoServer
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], flush=True)
    sys.stdin.read()
    """

  /// The Python environment of `Scripts/setup`, or the default one.
  private static let python: String = {
    let made = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../.build/python/bin/python3").standardizedFileURL.path
    return FileManager.default.isExecutableFile(atPath: made) ? made : "python3"
  }()

  /// Whether moto is installed in a version that supports conditional writes.
  static let isThere: Bool = {
    let program =
      "import moto; v = moto.__version__.split('.'); assert (int(v[0]), int(v[1])) >= (5, 1); import flask"
    return (try? Launch([python, "-c", program]).run().code) == 0
  }()

  /// One server for all tests, each of which uses its own bucket.
  private static let shared = try? AttendedProgram([python, "-c", program])

  /// Returns a store in a new bucket.
  static func store(maximumSingleUploadSize: Int64 = 64 << 20, part: Int64 = 16 << 20) throws -> S3Store {
    guard let port = try shared?.line(0) else { throw ScriptFailure() }
    let bucket = "bucket-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    let credentials = S3Credentials(accessKey: "key", secretKey: "secret")
    let store = try S3Store(
      S3Location("s3://\(bucket)/prefix"), port: port, credentials,
      maximumSingleUploadSize: maximumSingleUploadSize,
      part: part)
    _ = try store.client.send(S3Request(.put, nil))
    return store
  }
}

extension S3Store {
  /// Creates a store on the loopback interface, without waiting between attempts.
  init(
    _ location: S3Location, port: String, _ credentials: S3Credentials, isSinglePublisher: Bool = false,
    maximumSingleUploadSize: Int64 = 64 << 20, part: Int64 = 16 << 20,
    listedObjects: Int = DocumentLimits.maximumListedObjectCount, cancellation: Cancellation = Cancellation()
  ) throws {
    var network = HTTPSettings()
    network.retries.pause = { _, _ in }
    var settings = S3Settings(credentials: credentials, endpoint: try HTTPAddress("http://127.0.0.1:\(port)"))
    settings.maximumSingleUploadSize = maximumSingleUploadSize
    settings.partSize = part
    settings.maximumListedObjectCount = listedObjects
    try self.init(
      location, settings: settings, network: network, isSinglePublisher: isSinglePublisher,
      cancellation: cancellation,
      now: { Int64(Date().timeIntervalSince1970) })
  }
}

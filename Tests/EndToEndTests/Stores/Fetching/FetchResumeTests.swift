import Foundation
import PackageForge
import TestSupport
import Testing

/// Fetches that resume an interrupted download.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct FetchResumeTests {
  private let work: Workspace
  private let product = "com.example.book"
  private let store = BucketServer.store

  init() throws { work = try Workspace() }

  /// Publishes two large files, and downloads only one of them completely.
  private func receiveOne() throws {
    let files = ["large.dat", "other.dat"]
    try work.makeBook("Source")
    for name in files { try work.write(Noise.bytes(2_000_000), to: "Source/Contents/\(name)") }
    try work.iapkg("create", "Source", "-o", "1.0.pkg").exits(0)
    try work.makeFolder("buckets/bucket")
    try work.iapkg("publish", "1.0.pkg", "--to", "buckets/bucket/shop").succeeds()
    // One of four requests is held: two for the large files, and two for the small files before and after them.
    let held = try BucketServer(work, faults: [#"{"skip": 3, "key": ".pkg", "do": "hold", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product, "--from", store], environment: held.environment)
    #expect(try held.holds(fetch))
    try Waiting.until {
      files.contains { (try? work.bytes("Documents/.iapkg/staging/\($0)").count) == 2_000_000 }
    }
    fetch.running.send(SIGKILL)
    _ = try fetch.outcome()
    held.stop()
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("unshare"), "needs root and unshare"))
  func `a resumed fetch needs no additional space for the received bytes`() throws {
    try receiveOne()
    try work.makeFolder("small")
    // There is space for the content of 4 MB, but not for a second copy of the received half.
    let mounted = "mount -t tmpfs -o size=5m tmpfs small && cp -a Documents small && exec \"$0\" \"$@\""
    let bucket = try BucketServer(work)
    try work.iapkg(
      ["fetch", product, "--from", store, "--into", "small/Documents"], environment: bucket.environment,
      through: ["unshare", "-m", "sh", "-c", mounted]
    ).exits(0, saying: "the download of \(product) was interrupted")
  }
}

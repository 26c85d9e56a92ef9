import ContentPackage
import Foundation
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery
@testable import HTTPTransport

/// Behavior specific to buckets, and their faults.
@Suite struct S3StoreTests {
  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private let package: StorePath

  init() throws {
    package = .package(
      try #require(ProductIdentifier("com.example.book")), try #require(ContentVersion("1.0")),
      SHA256Digest(of: []))
  }

  private func text(_ store: S3Store, _ path: StorePath, _ range: Range<Int64>? = nil) throws -> String {
    var bytes: [UInt8] = []
    try store.read(path, range: range) { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `reports wrong credentials as denied`() throws {
    let bucket = try StandInBucket()
    for credentials in [
      S3Credentials(accessKey: "OTHER", secretKey: "TESTSECRET"),
      S3Credentials(accessKey: "TESTKEY", secretKey: "visible"),
      S3Credentials(accessKey: "TESTKEY", secretKey: "TESTSECRET", sessionToken: "visible"),
    ] {
      let store = try bucket.store(credentials)
      let error = error { _ = try store.object(at: .catalog, limit: 10) }
      #expect(error?.reason == .denied)
      #expect(error?.message.contains("visible") == false)
      #expect(error?.message.contains("request REQUEST1") == true)
    }
  }

  @Test func `checks again before each attempt to delete`() throws {
    let bucket = try StandInBucket(
      faults: [#"{"method": "DELETE", "do": "status", "status": 503, "code": "SlowDown", "retryAfter": 0}"#])
    let store = try bucket.store()
    try store.put("package", at: package)
    var answers = [true, false]
    try store.delete(package) { answers.removeFirst() }
    #expect(answers.isEmpty)
    #expect(try store.status(of: package) != nil)
    try store.delete(package) { true }
    #expect(try store.status(of: package) == nil)
    #expect(try bucket.log().count { $0.hasPrefix("DELETE ") } == 2)
  }

  @Test func `reports a missing bucket`() throws {
    let bucket = try StandInBucket()
    let store = try bucket.store(bucket: "elsewhere")
    #expect(error { _ = try store.object(at: .catalog, limit: 10) }?.reason == .noStore)
    #expect(error { _ = try store.list("") }?.reason == .noStore)
    #expect(error { try store.put("catalog", at: .catalog, if: .absent) }?.reason == .noStore)
  }

  @Test(arguments: [1, 2, 1_000]) func `a listing above the limit is refused`(_ page: Int) throws {
    let bucket = try StandInBucket(options: ["--page", String(page)])
    for version in ["1.0", "1.1", "1.2"] {
      try bucket.store().put(
        "package", at: try #require(StorePath("releases/com.example.book/\(version)-0123456789abcdef.pkg")))
    }
    #expect(try bucket.store(listedObjects: 3).list("").count == 3)
    let store = try bucket.store(listedObjects: 2)
    let error = error { _ = try store.list("") }
    #expect(error?.reason == .invalidResponse)
    #expect(error?.message.contains("its list has more than 2 objects") == true)
  }

  @Test func `names the region of a bucket elsewhere`() throws {
    let bucket = try StandInBucket(options: ["--region", "eu-central-1"])
    let store = try bucket.store()
    let error = error { _ = try store.object(at: .catalog, limit: 10) }
    #expect(error?.reason == .unsuitable)
    #expect(error?.message.contains("'eu-central-1'") == true)
  }

  @Test(arguments: [-3600, 3600]) func `learns the difference between the clocks`(_ seconds: Int) throws {
    let bucket = try StandInBucket(options: ["--clock", String(seconds)])
    let store = try bucket.store()
    #expect(try store.status(of: .catalog) == nil)
    try store.put("catalog", at: .catalog, if: .absent)
    #expect(try text(store, .catalog) == "catalog")
    #expect(try bucket.log().count { $0.hasSuffix(" 403") } == 1)
  }

  @Test(arguments: [
    #"{"do": "status", "status": 503, "code": "SlowDown", "retryAfter": 0, "times": 3}"#,
    #"{"do": "status", "status": 503, "code": "SlowDown", "times": 7}"#,
    #"{"do": "status", "status": 500, "code": "InternalError", "times": 2}"#,
    #"{"do": "status", "status": 400, "code": "RequestTimeout"}"#, #"{"do": "drop", "times": 2}"#,
    #"{"do": "lose"}"#, #"{"do": "late"}"#, #"{"do": "cut"}"#,
    #"{"do": "cut", "method": "GET"}"#, #"{"do": "lose", "method": "PUT", "skip": 1}"#,
    #"{"do": "late", "method": "PUT", "skip": 1}"#, #"{"do": "drop", "method": "PUT", "skip": 1}"#,
  ])
  func `retries temporary errors`(_ fault: String) throws {
    let bucket = try StandInBucket(faults: [fault])
    let store = try bucket.store()
    let first = try store.put("one", at: .catalog, if: .absent)
    try store.put("two", at: .catalog, if: .unchanged(first.tag))
    #expect(try text(store, .catalog) == "two")
    #expect(try store.list("").map(\.path) == ["catalog.json"])
  }

  @Test(arguments: [
    (#"{"do": "status", "status": 503, "code": "SlowDown", "times": -1}"#, "SlowDown, request REQUEST1"),
    (#"{"do": "drop", "times": -1}"#, "127.0.0.1"), (#"{"do": "late", "times": -1}"#, "InternalError"),
  ])
  func `reports a permanent error as unreachable`(_ fault: String, _ words: String) throws {
    let bucket = try StandInBucket(faults: [fault])
    let error = error { _ = try bucket.store().object(at: .catalog, limit: 10) }
    #expect(error?.reason == .unreachable)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["shift", "cut"]) func `counts a wrong range as an attempt`(_ what: String) throws {
    let bucket = try StandInBucket(faults: ["{\"do\": \"\(what)\", \"method\": \"GET\", \"times\": 2}"])
    let store = try bucket.store()
    try store.put("0123456789", at: .catalog)
    #expect(try text(store, .catalog, 2..<8) == "234567")
  }

  @Test func `refuses the whole object in place of a range`() throws {
    let bucket = try StandInBucket(faults: [#"{"do": "whole", "method": "GET", "times": -1}"#])
    let store = try bucket.store()
    try store.put("0123456789", at: .catalog)
    #expect(error { _ = try text(store, .catalog, 2..<8) }?.reason == .rangeIgnored)
  }

  @Test func `finds a store that ignores conditions`() throws {
    let bucket = try StandInBucket(options: ["--ignore-conditions"])
    let error = error { try bucket.store().checkConditions() }
    #expect(error?.reason == .unsuitable)
    #expect(error?.advice == .singlePublisher)
    #expect(try bucket.store().list("").isEmpty)

    let store = try bucket.store(isSinglePublisher: true)
    try store.checkConditions()
    let first = try store.put("one", at: .catalog, if: .absent)
    #expect(self.error { try store.put("two", at: .catalog, if: .absent) }?.reason == .conditionFailed)
    try store.put("two", at: .catalog, if: .unchanged(first.tag))
    #expect(
      self.error { try store.put("three", at: .catalog, if: .unchanged(first.tag)) }?.reason
        == .conditionFailed)
  }

  @Test func `reports a store that accepts no write as such, not as one that ignores conditions`() throws {
    let bucket = try StandInBucket(
      faults: [#"{"method": "PUT", "do": "status", "status": 405, "code": "MethodNotAllowed"}"#])
    let error = error { try bucket.store().checkConditions() }
    #expect(error?.advice == nil)
    #expect(error?.message.contains("MethodNotAllowed") == true, "\(String(describing: error))")
  }

  @Test func `leaves no object of a probe`() throws {
    let bucket = try StandInBucket()
    let store = try bucket.store()
    try store.checkConditions()
    #expect(try store.list("").isEmpty)
    #expect(try store.leftovers().isEmpty)
  }

  @Test(arguments: [409, 412]) func `reports a race`(_ status: Int) throws {
    let bucket = try StandInBucket(
      faults: ["{\"do\": \"status\", \"status\": \(status), \"key\": \"catalog.json\", \"method\": \"PUT\"}"])
    let store = try bucket.store()
    #expect(
      error { try store.put("catalog", at: .catalog, if: .absent) }?.reason
        == (status == 409 ? .conflict : .conditionFailed))
  }

  @Test(arguments: [
    ("prefix/", true), ("prefix/products/", true), ("prefix/catalog.json", true), ("catalog.json", false),
    ("prefix2/catalog.json", false), ("prefix//catalog.json", false), ("prefix/products//a", false),
    ("prefix/../catalog.json", false), ("prefix/products/..", false), ("prefix/./catalog.json", false),
    ("", false),
  ])
  func `lists nothing outside the prefix`(_ key: String, _ isListed: Bool) throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(
        200, [],
        """
        <ListBucketResult><Contents><Key>\(key)</Key><Size>1</Size>
        <LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>
        """)
    }
    let store = try S3Store(
      S3Location("s3://bucket/prefix"), port: "\(server.port)",
      S3Credentials(accessKey: "TESTKEY", secretKey: "TESTSECRET"))
    #expect((error { _ = try store.list("") } == nil) == isListed)
    #expect(error { _ = try store.leftovers() }?.reason == .wrongListing)
  }

  @Test func `escapes names as S3 does`() throws {
    let bucket = try StandInBucket()
    let store = try S3Store(
      S3Location("s3://bucket/a b+c/ü~(1)&=$"), port: bucket.port,
      S3Credentials(accessKey: "TESTKEY", secretKey: "TESTSECRET"))
    try store.put("catalog", at: .catalog)
    #expect(try text(store, .catalog) == "catalog")
    #expect(try store.list("").map(\.path) == ["catalog.json"])
  }

  @Test func `sends Cache-Control`() throws {
    let bucket = try StandInBucket()
    let store = try bucket.store()
    for (path, caching, expected) in [
      (package, StoreCaching.immutable, "public, max-age=31536000, immutable"),
      (.catalog, .revalidated, "no-cache"),
    ] {
      try store.put(MemoryBytes([1]), at: path, caching: caching, if: .none, advance: { _ in })
      var request = S3Request(.head, store.key(path.text))
      request.headers = []
      #expect(try store.client.send(request).head["cache-control"] == expected)
    }
  }

  @Test func `ends with the cancellation`() throws {
    let cancellation = Cancellation()
    let bucket = try StandInBucket(faults: [#"{"do": "hold", "times": -1}"#])
    let store = try bucket.store(cancellation: cancellation)
    let thread = Thread {
      while (try? bucket.log().contains { $0.hasSuffix("held") }) != true { usleep(20_000) }
      cancellation.cancel()
    }
    thread.start()
    #expect(error { _ = try store.status(of: .catalog) }?.reason == .cancelled)
  }
}

/// Multipart uploads.
@Suite struct S3UploadTests {
  private static let byteCount = (6 << 20) + 1
  private let content = MemoryBytes([UInt8](repeating: 7, count: byteCount - 1) + [8])
  private let path: StorePath

  init() throws {
    path = .package(
      try #require(ProductIdentifier("com.example.book")), try #require(ContentVersion("1.0")),
      SHA256Digest(of: []))
  }

  private func upload(_ bucket: StandInBucket, _ condition: StoreCondition = .absent) throws -> (
    StoredStatus, Int64
  ) {
    let sent = Mutex<Int64>(0)
    let status = try bucket.store().put(content, at: path, caching: .immutable, if: condition) { count in
      sent.withLock { $0 += count }
    }
    return (status, sent.withLock { $0 })
  }

  @Test(arguments: [
    nil, #"{"do": "lose", "query": "partNumber=3"}"#, #"{"do": "drop", "query": "partNumber", "times": 3}"#,
    #"{"do": "late", "method": "POST", "query": "uploadId"}"#,
    #"{"do": "lose", "method": "POST", "query": "uploadId"}"#,
    #"{"do": "status", "status": 503, "query": "uploads"}"#,
  ])
  func `uploads a large object in parts`(_ fault: String?) throws {
    let bucket = try StandInBucket(faults: fault.map { [$0] } ?? [])
    let (status, sent) = try upload(bucket)
    #expect(status.byteCount == Self.byteCount)
    #expect(sent == Self.byteCount)
    let stored = try bucket.bytes(path.text)
    #expect(SHA256Digest(of: stored) == SHA256Digest(of: try content.bytes(at: 0, count: Self.byteCount)))
    #expect(try bucket.store().status(of: path) == status)
    #expect(try bucket.store().leftovers().isEmpty)
    #expect(try bucket.log().contains { $0.contains("partNumber=5&") && $0.hasSuffix(" 200") })
  }

  @Test(arguments: [
    #"{"do": "status", "status": 403, "code": "AccessDenied", "query": "partNumber=4"}"#,
    #"{"do": "status", "status": 400, "code": "EntityTooLarge", "method": "POST", "query": "uploadId"}"#,
    #"{"do": "status", "status": 412, "code": "PreconditionFailed", "method": "POST", "query": "uploadId"}"#,
  ])
  func `aborts an upload that fails`(_ fault: String) throws {
    let bucket = try StandInBucket(faults: [fault])
    #expect(throws: StoreError.self) { try upload(bucket) }
    #expect(try bucket.store().leftovers().isEmpty)
    #expect(try bucket.store().status(of: path) == nil)
  }

  @Test func `aborts an upload that is canceled`() throws {
    let bucket = try StandInBucket()
    let cancellation = Cancellation()
    let store = try bucket.store(cancellation: cancellation)
    let error = #expect(throws: StoreError.self) {
      try store.put(content, at: path, caching: .immutable, if: .absent) { _ in cancellation.cancel() }
    }
    #expect(error?.reason == .cancelled)
    #expect(try bucket.store().leftovers().isEmpty)
  }

  @Test func `finds and discards an abandoned upload`() throws {
    let bucket = try StandInBucket(
      faults: [
        #"{"do": "status", "status": 403, "method": "DELETE"}"#,
        #"{"do": "status", "status": 403, "query": "partNumber"}"#,
      ],
      options: ["--age", "90000", "--page", "1"])
    #expect(throws: StoreError.self) { try upload(bucket) }
    let store = try bucket.store()
    let left = try store.leftovers()
    #expect(left.map(\.path) == [path.text])
    #expect(left.allSatisfy { $0.modified < Int64(Date().timeIntervalSince1970) - 80_000 })
    for item in left { try store.discard(item) }
    #expect(try store.leftovers().isEmpty)
  }

  @Test(.enabled(if: MotoServer.isThere, "moto[server] 5.1 or later is not installed for python3"))
  func `uploads in parts to moto`() throws {
    let store = try MotoServer.store(maximumSingleUploadSize: 5 << 20, part: 5 << 20)
    let status = try store.put(content, at: path, caching: .immutable, if: .absent, advance: { _ in })
    #expect(try store.status(of: path) == status)
    var count = 0
    try store.read(path, range: nil) { count += $0.byteCount }
    #expect(count == Self.byteCount)
  }
}

import ContentPackage
import Installation
import PackageForge
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Fetches from failing and malicious web servers, which must leave either the old or the new version installed.
@Suite struct FetchFaultTests {
  private static let old: [(path: String, bytes: [UInt8])] = [
    ("Contents/kept", SeededNumbers.bytes(3_000, seed: 1)), ("Contents/small", Array("old".utf8)),
  ]
  private static let new: [(path: String, bytes: [UInt8])] = [
    ("Contents/kept", SeededNumbers.bytes(3_000, seed: 1)),
    ("Contents/large", SeededNumbers.bytes(1_200_000, seed: 2)),
    ("Contents/medium", SeededNumbers.bytes(70_000, seed: 3)), ("Contents/small", Array("new".utf8)),
  ]
  private let product: ProductIdentifier
  private let folder: TemporaryFolder
  private let release: ForgedRelease

  init() throws {
    product = try #require(ProductIdentifier("com.example.book"))
    folder = try TemporaryFolder()
    release = try ForgedRelease(product, "2.0", Self.new, sequence: 2)
    try ForgedRelease(product, "1.0", Self.old).write(to: folder, "store")
  }

  private var documents: String { folder.place("Documents") }

  private func installOld() throws {
    if folder.has("Documents") { try folder.remove("Documents") }
    let installer = PackageInstaller(access: DocumentsAccess(path: documents, isDurable: false))
    _ = try ReleaseFetcher(from: folder.place("store"), installer: installer).fetch(product)
  }

  /// Expects that the installed files are those of a version.
  private func expectInstalled(
    _ files: [(path: String, bytes: [UInt8])], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = "Documents/\(product)"
    #expect(
      try folder.names(place) == files.map { $0.path.dropFirst("Contents/".count) }.map(String.init),
      sourceLocation: sourceLocation)
    for (path, bytes) in files {
      let found = try folder.bytes("\(place)/\(path.dropFirst("Contents/".count))")
      #expect(found == bytes, "\(path) differs", sourceLocation: sourceLocation)
    }
    let installed = InstalledProducts(DocumentsAccess(path: documents, isDurable: false))
    let isIntact = try installed.status(verifying: true).products.allSatisfy(\.inspection.isIntact)
    #expect(isIntact, sourceLocation: sourceLocation)
  }

  /// A faulty response.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The expected error if every response is faulty; nil for `IntegrityError`.
    let reason: StoreError.Reason?
    let spoil: @Sendable (inout FaultyStore.Response) -> Void

    /// Creates a fault. A nil reason means content that does not match its signature.
    init(
      _ description: String, _ reason: StoreError.Reason? = .unreachable,
      _ spoil: @escaping @Sendable (inout FaultyStore.Response) -> Void
    ) {
      testDescription = description
      self.reason = reason
      self.spoil = spoil
    }
  }

  /// Faults after which a retry may succeed.
  static let temporary: [Fault] =
    [408, 425, 429, 500, 502, 503, 504].map { status in
      Fault("status \(status)") {
        $0 = .init(status: status, headers: ["Retry-After": "0", "Content-Length": "0"], body: [])
      }
    } + [
      Fault("nothing") { $0.cut = 0 },
      Fault("no HTTP") { $0.version = "SSH-2.0" },
      Fault("the first half of the response") { $0.cut = $0.body.count / 2 },
      Fault("a Content-Length of one byte less") { $0.headers["Content-Length"] = "\($0.body.count - 1)" },
      Fault("one byte more, with its Content-Length") {
        $0.body.append(0)
        $0.headers["Content-Length"] = "\($0.body.count)"
      },
      Fault("a gigabyte") { $0.headers["Content-Length"] = "1000000000" },
      Fault("endless chunks") {
        $0.headers["Content-Length"] = nil
        $0.headers["Transfer-Encoding"] = "chunked"
        $0.endless = Array("10000\r\n".utf8) + [UInt8](repeating: 7, count: 65_536) + Array("\r\n".utf8)
        $0.body = []
      },
      Fault("a range one byte further") {
        $0.headers["Content-Range"] = "bytes 1-\($0.body.count)/2000000"
      },
      Fault("no range") { $0.headers["Content-Range"] = nil },
      Fault("a range in another unit") {
        $0.headers["Content-Range"] = $0.headers["Content-Range"]?.replacing("bytes", with: "lines")
      },
      Fault("a range without the total") { $0.headers["Content-Range"]? += "0/*" },
      Fault("several parts") {
        $0.headers["Content-Type"] = "multipart/byteranges; boundary=b"
        $0.headers["Content-Range"] = nil
      },
      Fault("other bytes", nil) { $0.body = SeededNumbers.bytes($0.body.count, seed: 9) },
      Fault("zeros at the end", nil) {
        $0.body.replaceSubrange(($0.body.count - 90)..., with: [UInt8](repeating: 0, count: 90))
      },
    ]

  /// Faults that a retry does not change.
  static let permanent: [Fault] = [
    Fault("access denied", .denied) { $0 = .init(status: 403, headers: ["Content-Length": "0"], body: []) },
    Fault("a redirection to itself", .invalidResponse) { $0 = redirection("/again.pkg") },
    Fault("a redirection to a file", .invalidResponse) { $0 = redirection("file:///etc/passwd") },
    Fault("a redirection to another protocol", .invalidResponse) { $0 = redirection("ftp://127.0.0.1/") },
    Fault("an endless header", .unreachable) {
      $0.cut = 20
      $0.endless = Array("X: \(String(repeating: "x", count: 1_000))\r\n".utf8)
    },
  ]

  private static func redirection(_ target: String) -> FaultyStore.Response {
    .init(status: 302, headers: ["Location": target, "Content-Length": "0"], body: [])
  }

  @Test(arguments: temporary)
  func `a faulty response costs a retry`(_ fault: Fault) throws {
    try installOld()
    let store = try FaultyStore({ [release] in release.documents }) { answer, _, number in
      if number == 0 { fault.spoil(&answer) }
    }
    let result = try store.fetcher(into: documents).fetch(product)
    #expect(result.installation.outcome == .installed)
    try expectInstalled(Self.new)
  }

  @Test func `a file that disappears after planning is downloaded, and not counted as reused`() throws {
    try installOld()
    let store = try FaultyStore({ [release] in release.documents }) { _, _, _ in }
    let fetcher = try store.fetcher(into: documents)
    guard case .fetch(let plan) = try fetcher.plan(product, ReleaseChoice(), resuming: .moving) else {
      Issue.record("no update is planned")
      return
    }
    #expect(plan.reusedBytes == 3_000)
    try folder.remove("Documents/\(product)/kept")
    let result = try fetcher.fetch(plan)
    #expect(result.plan.reusedBytes == 0)
    #expect(result.transferredBytes > 1_273_000)
    withExtendedLifetime(store) {}
    try expectInstalled(Self.new)
  }

  /// Expects that fetching fails with the reason of the fault, and that the old version is unchanged.
  private func expectFailure(of store: FaultyStore, by fault: Fault) throws {
    do {
      _ = try store.fetcher(into: documents).fetch(product)
      Issue.record("the fetch succeeded")
    } catch let error as StoreError {
      #expect(error.reason == fault.reason, "\(error)")
    } catch let found as IntegrityError {
      #expect(fault.reason == nil, "\(found)")
    }
    try expectInstalled(Self.old)
  }

  @Test(arguments: temporary + permanent)
  func `responses that are always faulty leave the old version`(_ fault: Fault) throws {
    try installOld()
    let store = try FaultyStore({ [release] in release.documents }) { answer, _, _ in fault.spoil(&answer) }
    try expectFailure(of: store, by: fault)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `several faults in a row cost as many retries`(_ seed: UInt64) throws {
    try installOld()
    let seen = Mutex<[String: Int]>([:])
    let store = try FaultyStore({ [release] in release.documents }) { answer, request, _ in
      // Attempts for one range end at the same byte.
      let end = request.headers["range"]?.split(separator: "-").last.map(String.init) ?? ""
      let tries = seen.withLock { seen in
        seen[end, default: 0] += 1
        return seen[end, default: 0]
      }
      var numbers = SeededNumbers(end.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) } &+ UInt64(tries))
      let fault = Self.temporary.filter { $0.reason != nil }.randomElement(using: &numbers)
      if tries < 5 { fault?.spoil(&answer) }
    }
    let result = try store.fetcher(into: documents).fetch(product)
    #expect(result.installation.outcome == .installed)
    #expect(store.server.received.count { $0.path.hasSuffix(".pkg") } >= 8)
    try expectInstalled(Self.new)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a flipped bit of the package costs a retry`(_ seed: UInt64) throws {
    try installOld()
    let store = try FaultyStore({ [release] in release.documents }) { answer, _, number in
      var numbers = SeededNumbers(seed)
      let index = Int.random(in: answer.body.indices, using: &numbers)
      if number == 0 { answer.body[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
    }
    _ = try store.fetcher(into: documents).fetch(product)
    try expectInstalled(Self.new)
  }

  @Test func `a server that ignores ranges sends the whole package`() throws {
    for first in 0...1 {
      try installOld()
      let store = try FaultyStore({ [release] in release.documents }) { [release] answer, _, number in
        guard number >= first, let package = release.documents[release.packagePath] else { return }
        answer = .init(status: 200, headers: ["Content-Length": "\(package.count)"], body: package)
      }
      _ = try store.fetcher(into: documents).fetch(product)
      try expectInstalled(Self.new)
    }
  }

  @Test func `a package that is replaced in place is not mixed with the other one`() throws {
    let size = release.documents[release.packagePath]?.count ?? 0
    let other = SeededNumbers.bytes(size, seed: 7)
    for isPermanent in [false, true] {
      try installOld()
      let store = try FaultyStore({ [release] in release.documents }) { answer, request, number in
        if number == 0 { answer.cut = answer.head.count + 10_000 }
        guard number == 1 || number > 1 && isPermanent else { return }
        answer.body = Array(other[request.range ?? 0..<size])
        answer.headers["ETag"] = "\"other\""
      }
      if isPermanent {
        #expect(throws: (any Error).self) { try store.fetcher(into: documents).fetch(product) }
        try expectInstalled(Self.old)
      } else {
        _ = try store.fetcher(into: documents).fetch(product)
        try expectInstalled(Self.new)
      }
    }
  }

  @Test func `servers that give different tags to the same package are one source`() throws {
    try installOld()
    let store = try FaultyStore({ [release] in release.documents }) { answer, _, number in
      if number < 3 { answer.cut = answer.head.count + 10_000 }
      answer.headers["ETag"] = number.isMultiple(of: 2) ? "\"\(number)\"" : nil
    }
    _ = try store.fetcher(into: documents).fetch(product)
    try expectInstalled(Self.new)
  }

  @Test func `a release that replaces another one during a fetch is installed`() throws {
    try installOld()
    let next = try ForgedRelease(product, "3.0", Self.new, sequence: 3)
    let isReplaced = Mutex(false)
    let store = try FaultyStore({ [release] in isReplaced.withLock { $0 } ? next.documents : release.documents
    }) {
      _, _, _ in isReplaced.withLock { $0 = true }
    }
    let result = try store.fetcher(into: documents).fetch(product)
    #expect(result.plan.contentVersion == ContentVersion("3.0"))
    try expectInstalled(Self.new)
  }

  @Test(
    arguments: ["products/", "index", "pages"],
    [
      Fault("other bytes", nil) { $0.body = SeededNumbers.bytes($0.body.count, seed: 9) },
      Fault("a flipped bit", nil) { $0.body[$0.body.count / 3] ^= 1 },
      Fault("one byte less", nil) {
        $0.body.removeLast()
        $0.headers["Content-Length"] = "\($0.body.count)"
      },
      Fault("a gigabyte", nil) {
        $0.headers["Content-Length"] = "1000000000"
        $0.endless = [UInt8](repeating: 32, count: 65_536)
      },
      Fault("a missing document", .missing) {
        $0 = .init(status: 404, headers: ["Content-Length": "0"], body: [])
      },
      Fault("the first half of the document") { $0.cut = $0.head.count + $0.body.count / 2 },
    ])
  func `damaged or missing documents leave the old version`(_ document: String, _ fault: Fault) throws {
    try installOld()
    let part = document == "index" ? release.indexPath : document == "pages" ? release.pagesPath : document
    let store = try FaultyStore({ [release] in release.documents }, part) { answer, _, _ in
      fault.spoil(&answer)
    }
    try expectFailure(of: store, by: fault)
  }
}

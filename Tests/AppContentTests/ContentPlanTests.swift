import AppContent
import ContentPackage
import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing

/// Downloads by other processes, in random order and across restarts of the app.
@Suite(.timeLimit(.minutes(5))) struct ContentPlanTests {
  private let product = Workshop.product

  /// Small files, and large ones of several parts.
  private static let files: Workshop.Files =
    (0..<30).map { ("small-\($0 + 10)", SeededNumbers.bytes(2_000, seed: UInt64($0))) }
    + [
      ("large", SeededNumbers.bytes(5_000_000, seed: 50)),
      ("movie", SeededNumbers.bytes(13_000_000, seed: 60)),
    ]

  /// Downloads a part with curl in another process, which is killed after `limit` bytes, and returns the file.
  private func download(_ part: ContentPart, in workshop: Workshop, killedAfter limit: Int64? = nil) throws
    -> URL
  {
    let file = URL(fileURLWithPath: workshop.folder.place("part-\(part.id)"))
    let curl = try StartedProgram(
      Launch(
        ["curl", "--silent", "--fail", "--noproxy", "*", "--output", file.path]
          + part.headers.sorted { $0.key < $1.key }.flatMap { ["--header", "\($0.key): \($0.value)"] }
          + [part.url.absoluteString]))
    if let limit {
      while curl.isRunning, Self.size(of: file) < limit { sched_yield() }
      curl.send(SIGKILL)
    }
    let code = curl.end()
    if limit == nil { #expect(code == 0) }
    return file
  }

  private static func size(of file: URL) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64) ?? 0
  }

  private func cut(_ file: URL, to size: Int) throws {
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(size).write(to: file)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `parts arrive in random order, damaged, twice and truncated, while the app restarts`(
    _ seed: UInt64
  ) async throws {
    let workshop = try Workshop("1.0", Self.files)
    var numbers = SeededNumbers(seed)
    let planned = try #require(try await workshop.library().plan(product))
    var parts = try await planned.parts().shuffled(using: &numbers)
    #expect((2...100).contains(parts.count))
    let all = parts
    while let part = parts.popLast() {
      // The app starts again for each file.
      let plan = try #require(try await workshop.library().recordedPlan(for: product))
      #expect(Set(try await plan.parts().map(\.id)) == Set((parts + [part]).map(\.id)))
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0:  // the download is killed, and its file is incomplete
        let file = try download(part, in: workshop, killedAfter: part.byteCount / 3)
        if Self.size(of: file) == part.byteCount { try cut(file, to: Int(part.byteCount) - 1) }
        await #expect(throws: PartError.self) { try await plan.accept(file, for: part) }
        parts.insert(part, at: Int.random(in: 0...parts.count, using: &numbers))
        continue
      case 1:  // a file of another part
        let other = try #require(all.randomElement(using: &numbers))
        let file = try download(other, in: workshop)
        if other.id != part.id {
          await #expect(throws: PartError.self) { try await plan.accept(file, for: part) }
        }
      case 2:  // a damaged byte
        let file = try download(part, in: workshop)
        var bytes = try Data(contentsOf: file)
        bytes[Int.random(in: bytes.indices, using: &numbers) / 4096 * 4096] ^= 1
        try bytes.write(to: file)
        await #expect(throws: PartError.self) { try await plan.accept(file, for: part) }
      case 3:
        await #expect(throws: PartError.self) { try await plan.finish() }
      default: break
      }
      let file = try download(part, in: workshop)
      #expect(try await plan.accept(file, for: part) == .kept)
      #expect(try await plan.accept(file, for: part.id) == .alreadyKept)
    }
    let plan = try #require(try await workshop.library().recordedPlan(for: product))
    #expect(try await plan.parts().isEmpty)
    let requests = workshop.server.received.count
    let content = try await plan.finish()
    #expect(content.version == "1.0")
    try workshop.expectInstalled(Self.files)
    #expect(!workshop.server.received[requests...].contains { $0.path.hasSuffix(".pkg") })
    #expect(try await workshop.library().plan(product) == nil)
    await #expect(throws: PartError.self) { try await plan.finish() }
  }

  @Test func `a release that changes between two parts is detected, and unchanged parts are reused`()
    async throws
  {
    let workshop = try Workshop("1.0", Self.files)
    let library = try workshop.library()
    let old = try #require(try await library.plan(product))
    let parts = try await old.parts()
    for part in parts.dropFirst() { _ = try await old.accept(download(part, in: workshop), for: part) }
    var files = Self.files
    files[0].bytes = SeededNumbers.bytes(2_500, seed: 999)
    files[31].bytes.replaceSubrange(6_000_000..<6_000_010, with: SeededNumbers.bytes(20, seed: 998))
    try workshop.publish("2.0", files)
    await #expect {
      try await old.finish()
    } throws: { error in
      guard case PartError.releaseChanged(_, _, let available) = error else { return false }
      return available.text == "2.0"
    }
    let next = try #require(try await workshop.library().plan(product))
    #expect(next.version == "2.0")
    let rest = try await next.parts()
    #expect(rest.reduce(0) { $0 + $1.byteCount } < parts[0].byteCount + 1_000_000)
    await #expect(throws: PartError.self) {
      _ = try await next.accept(
        URL(fileURLWithPath: workshop.folder.place("part-\(parts[1].id)")), for: parts[1])
    }
    for part in rest { _ = try await next.accept(download(part, in: workshop), for: part) }
    #expect(try await next.finish().version == "2.0")
    try workshop.expectInstalled(files)
  }

  @Test func `an update plans only changed files, and keeps the installed version until it finishes`()
    async throws
  {
    let workshop = try Workshop("1.0", Self.files)
    let library = try workshop.library()
    try await library.install(product)
    var files = Self.files
    files[0].bytes = SeededNumbers.bytes(2_500, seed: 999)
    try workshop.publish("2.0", files)
    let plan = try #require(try await library.plan(product))
    let parts = try await plan.parts()
    #expect(parts.count == 1 && parts[0].byteCount == 2_500 && parts[0].digest != nil)
    _ = try await plan.accept(download(parts[0], in: workshop), for: parts[0])
    try workshop.expectInstalled(Self.files)
    #expect(try await plan.finish().previousVersion == "1.0")
    try workshop.expectInstalled(files)
  }

  @Test func `an update without new bytes has no parts, and a rejected update has no plan`() async throws {
    let workshop = try Workshop("1.0", Self.files)
    let library = try workshop.library()
    try await library.install(product)
    let files: Workshop.Files = Self.files.dropFirst().map { ("moved/\($0.path)", $0.bytes) }
    try workshop.publish("2.0", files)
    let plan = try #require(try await library.plan(product))
    #expect(try await plan.parts().isEmpty)
    #expect(try await plan.finish().version == "2.0")
    #expect(try workshop.folder.names("Documents/\(product)/moved").count == files.count)
    try workshop.publish("3.0", [("a", [1]), ("A", [2])])
    await #expect {
      try await library.plan(product)
    } throws: { error in
      guard case ContentLibraryError.rejected(_, _, let findings) = error else { return false }
      return !findings.isEmpty
    }
  }

  @Test func `the progress counts accepted parts`() async throws {
    let workshop = try Workshop("1.0", Self.files)
    let library = try workshop.library()
    let plan = try #require(try await library.plan(product))
    try await library.reach(.waiting, of: product)
    let parts = try await plan.parts()
    _ = try await plan.accept(download(parts[0], in: workshop), for: parts[0])
    var updates = library.progress(of: product).makeAsyncIterator()
    let update = try #require(await updates.next())
    #expect(update.state == .active && update.receivedBytes == parts[0].byteCount)
    #expect(update.totalBytes == parts.reduce(0) { $0 + $1.byteCount })
    #expect(try await library.status(of: product).downloadedBytes ?? 0 > 0)
  }

  @Test func `a part is stored without its token`() async throws {
    let workshop = try Workshop("1.0", Self.files)
    try workshop.folder.makeFolder("app")
    try workshop.tokens.store(StoredToken(value: "secret", expires: nil))
    let plan = try #require(try await workshop.library(tokens: workshop.tokens).plan(product))
    let part = try #require(try await plan.parts().first)
    #expect(part.headers["Authorization"] == "Bearer secret")
    let text = String(decoding: try JSONEncoder().encode(part), as: UTF8.self)
    #expect(!text.contains("secret"))
    let decoded = try JSONDecoder().decode(ContentPart.self, from: Data(text.utf8))
    #expect(decoded.id == part.id && decoded.range == part.range && decoded.headers["Range"] != nil)
  }
}

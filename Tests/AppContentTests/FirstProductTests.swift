import AppContent
import FirstProduct
import Foundation
import PackageForge
import Synchronization
import TestSupport
import Testing

/// The code of the article "Ship your first product".
@Suite(.timeLimit(.minutes(2))) struct FirstProductTests {
  private static let first: Workshop.Files = [("chapter-1.txt", Array("Once".utf8))]

  @Test func `the code of the article installs, follows, updates and rolls back a product`() async throws {
    let signer = TestSigner()
    let workshop = try Workshop("1.0", Self.first, signer: signer)
    let support = URL(fileURLWithPath: workshop.folder.place("support"))
    let library = try FirstProduct.makeLibrary(
      support: support, store: workshop.configuration.store, key: signer.line)
    let lines = Mutex<[String]>([])
    let following = Task {
      await FirstProduct.follow(library) { line in lines.withLock { $0.append(line) } }
    }
    #expect(try await FirstProduct.firstChapter(from: library) == "Once")
    await following.value
    #expect(lines.withLock(\.self).last == "finished: 100 %")
    _ = try await FirstProduct.start(library).value
    try workshop.publish("2.0", [("chapter-1.txt", Array("Twice".utf8))], signer: signer)
    try await FirstProduct.update(library) { _ in false }
    #expect(try await library.status(of: Workshop.product).version == "1.0")
    try workshop.publish("3.0", [("chapter-1.txt", Array("Thrice".utf8))], signer: signer)
    try await FirstProduct.update(library) { _ in true }
    #expect(try await FirstProduct.firstChapter(from: library) == "Thrice")
  }

  @Test func `the code of the article delivers the content of a purchase before it finishes the purchase`()
    async throws
  {
    let workshop = try Workshop("1.0", Self.first, at: "/v1/store")
    let api = StandInService()
    workshop.script { api.reply($0) }
    let library = try FirstProduct.makeShop(
      server: try #require(URL(string: workshop.server.address)),
      support: URL(fileURLWithPath: workshop.folder.place("app")), configuration: workshop.configuration)
    try await FirstProduct.deliver("one", with: library) {
      #expect(workshop.folder.has("Documents/\(Workshop.product)/chapter-1.txt"))
    }
  }

  @Test func `the code of the article installs parts that the system has downloaded`() async throws {
    let workshop = try Workshop("1.0", Self.first)
    let library = try workshop.library()
    let requests = Mutex<[URLRequestDescription]>([])
    try await FirstProduct.startParts(of: library) { request in requests.withLock { $0.append(request) } }
    for request in requests.withLock(\.self) {
      #expect(request.fields["Range"] != nil && request.url.path.hasSuffix(".pkg"))
      let file = URL(fileURLWithPath: workshop.folder.place("file"))
      try Data("Once".utf8).write(to: file)
      try await FirstProduct.accept(file, named: request.name, by: library)
    }
    try workshop.expectInstalled(Self.first)
  }
}

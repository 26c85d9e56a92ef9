import AppContent
import Foundation
import PackageForge
import Synchronization
import TestSupport
import Testing

/// Purchases from the server to the disk, and spending.
@Suite(.timeLimit(.minutes(2))) struct PurchaseTests {
  private let product = Workshop.product
  private static let files: Workshop.Files = [("chapter.txt", Array("Once".utf8))]

  private func workshop() throws -> Workshop { try Workshop("1.0", Self.files, at: "/v1/store") }

  @Test func `a purchase is delivered only once its content is on disk`() async throws {
    let workshop = try workshop()
    let api = StandInService()
    let (service, library) = try workshop.serviceAndLibrary()
    await #expect(throws: ServiceError.noAccount) { try await service.holdings() }
    // The store fails: the purchase counts, and must not be finished yet.
    workshop.script { $0.path.hasSuffix(".pkg") ? ScriptedServer.answer(403) : api.reply($0) }
    await #expect(throws: (any Error).self) { try await library.deliver(SignedTransaction("one")) }
    #expect(!workshop.folder.has("Documents/\(product)"))
    workshop.script { api.reply($0, status: "duplicate") }
    let result = try await workshop.serviceAndLibrary().1.deliver(SignedTransaction("one"))
    #expect(result.status == "duplicate")
    try workshop.expectInstalled(Self.files)
    let tokens = workshop.server.received.filter { $0.path.hasPrefix("/v1/store") }
      .compactMap { $0.headers["authorization"] }
    #expect(Set(tokens) == ["Bearer token-1", "Bearer token-2"])
    #expect(try await library.install(product).transferredBytes == 0)
    await #expect(throws: ContentLibraryError.notEntitled(product: "com.example.other")) {
      try await library.install("com.example.other")
    }
  }

  @Test func `a rejected purchase installs nothing, and a refunded one has no content`() async throws {
    let workshop = try workshop()
    let api = StandInService()
    let (_, library) = try workshop.serviceAndLibrary()
    workshop.script { api.reply($0, status: "rejected") }
    await #expect {
      try await library.deliver(SignedTransaction("one"))
    } throws: { error in
      (error as? PurchaseRejected)?.reason == "environment"
    }
    workshop.script { api.reply($0, status: "revoked") }
    #expect(try await library.deliver(SignedTransaction("one")).status == "revoked")
    #expect(!workshop.folder.has("Documents/\(product)"))
  }

  @Test func `a token that the server no longer knows, or that is about to expire, is renewed`() async throws
  {
    let workshop = try workshop()
    let api = StandInService()
    let (service, _) = try workshop.serviceAndLibrary()
    workshop.script { api.reply($0) }
    try await service.present([SignedTransaction("one")])
    api.isKnown.withLock { $0 = false }
    #expect(try await service.holdings().balances == ["coins": 5])
    #expect(try workshop.tokens.token()?.value == "token-2")
    try workshop.tokens.store(StoredToken(value: "token-2", expires: Date.now.addingTimeInterval(60)))
    _ = try await service.holdings()
    #expect(try workshop.tokens.token()?.value == "token-3")
    #expect(try await service.products() == [product])
  }

  @Test func `a spending without a response is repeated as the same request after a restart`() async throws {
    let workshop = try workshop()
    let api = StandInService()
    let (service, _) = try workshop.serviceAndLibrary()
    workshop.script { api.reply($0) }
    try await service.present([SignedTransaction("one")])
    // The response is lost.
    workshop.script { $0.path.hasSuffix("/spend") ? ScriptedServer.answer(418) : api.reply($0) }
    await #expect(throws: ServiceError.unexpectedResponse(status: 418)) {
      try await service.spend(2, of: "coins") { _, _ in }
    }
    let pending = try workshop.folder.names("app/spending")
    #expect(pending.count == 1)
    workshop.script {
      $0.path.hasSuffix("/spend")
        ? ScriptedServer.answer(200, [], #"{"status":"repeated","remaining":3}"#) : api.reply($0)
    }
    let applied = Mutex<[String]>([])
    let (restarted, _) = try workshop.serviceAndLibrary()
    try await restarted.completeSpendings { spending, spent in
      applied.withLock {
        $0.append("\(spending.requestId.uuidString).json \(spent.status) \(spent.remaining)")
      }
    }
    #expect(applied.withLock(\.self) == ["\(pending[0]) repeated 3"])
    #expect(try workshop.folder.names("app/spending").isEmpty)
    // A final refusal ends the request.
    workshop.script {
      $0.path.hasSuffix("/spend")
        ? ScriptedServer.answer(409, [], StandInService.problem(409)) : api.reply($0)
    }
    await #expect(throws: Problem.self) { try await restarted.spend(9, of: "coins") { _, _ in } }
    #expect(try workshop.folder.names("app/spending").isEmpty)
  }

  @Test func `a task that is canceled while its spending is applied does not leave the request`() async throws
  {
    let workshop = try workshop()
    let api = StandInService()
    let (service, _) = try workshop.serviceAndLibrary()
    workshop.script {
      $0.path.hasSuffix("/spend")
        ? ScriptedServer.answer(200, [], #"{"status":"spent","remaining":3}"#) : api.reply($0)
    }
    try await service.present([SignedTransaction("one")])
    try await service.spend(2, of: "coins") { _, _ in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
    }
    #expect(try workshop.folder.names("app/spending").isEmpty)
  }

  @Test func `addresses and responses that are not from the API are errors`() async throws {
    let workshop = try workshop()
    #expect(throws: ServiceError.self) {
      try ContentService(
        server: #require(URL(string: "ftp://example.com")),
        folder: URL(fileURLWithPath: workshop.folder.path),
        tokens: workshop.tokens)
    }
    let (service, _) = try workshop.serviceAndLibrary()
    workshop.script { _ in ScriptedServer.answer(200, [], "<html>") }
    await #expect(throws: ServiceError.unexpectedResponse(status: 200)) { try await service.products() }
    for error: ServiceError in [.invalidAddress("x"), .invalidToken, .unreachable("x"), .noAccount] {
      #expect(!error.description.isEmpty)
    }
  }
}

import AppContent
import ContentPackage
import Delivery
import Foundation
import Installation
import PackageForge
import TestSupport
import Testing

/// The library as an app uses it, against a web server.
@Suite(.timeLimit(.minutes(2))) struct ContentLibraryTests {
  private let product = Workshop.product
  private static let files: Workshop.Files = [
    ("chapter.txt", Array("Once".utf8)), ("music.dat", SeededNumbers.bytes(300_000, seed: 1)),
  ]

  private func workshop() throws -> Workshop { try Workshop("1.0", Self.files) }

  @Test func `a product is installed, updated, rolled back and removed`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    #expect(try await library.statuses().isEmpty)
    #expect(try await library.availableUpdate(of: product)?.installedVersion == nil)
    let content = try await library.install(product)
    #expect(content.version == "1.0" && content.previousVersion == nil && content.transferredBytes > 300_000)
    #expect(content.folder == library.folder(of: product))
    try workshop.expectInstalled(Self.files)
    #expect(try await library.install(product).transferredBytes == 0)
    #expect(try await library.update(product) == nil)
    var files = Self.files
    files[0].bytes = Array("Twice".utf8)
    try workshop.publish("2.0", files)
    let update = try #require(try await library.availableUpdate(of: product))
    #expect(update.version == "2.0" && update.installedVersion == "1.0" && update.transferBytes < 10_000)
    let updated = try #require(try await library.update(product))
    #expect(updated.version == "2.0" && updated.previousVersion == "1.0" && updated.reusedBytes == 300_000)
    try workshop.expectInstalled(files)
    let status = try await library.status(of: product)
    #expect(status.version == "2.0" && status.isIntact && status.previousVersions == ["1.0"])
    #expect(try await library.rollBack(product) == "1.0")
    try workshop.expectInstalled(Self.files)
    try await library.remove(product)
    #expect(try await library.status(of: product).version == nil)
    #expect(!workshop.folder.has("Documents/\(product)"))
  }

  @Test func `the folder of a product has its content in each layout`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    let flat = library.folder(of: product)
    #expect(try await library.install(product).folder == flat)
    #expect(library.folder(of: product) == flat)
    let installer = PackageInstaller(
      options: .init(layout: .versioned), access: DocumentsAccess(path: workshop.folder.place("Documents")))
    let fetcher = try ReleaseFetcher(from: workshop.server.address, installer: installer)
    let result = try fetcher.fetch(try #require(ProductIdentifier(product)))
    #expect(result.installation.outcome == .installed)
    let versioned = library.folder(of: product)
    #expect(versioned.path == "\(flat.path)/current")
    for (version, text) in [("2.0", "Twice"), ("3.0", "Thrice")] {
      try workshop.publish(version, [("chapter.txt", Array(text.utf8))])
      #expect(try await library.update(product)?.folder == versioned)
      let chapter = versioned.appendingPathComponent("chapter.txt")
      #expect(try String(contentsOf: chapter, encoding: .utf8) == text)
    }
    #expect(try await library.status(of: product).folder == versioned)
    try await library.remove(product)
    #expect(library.folder(of: product) == flat)
  }

  @Test func `the progress reports the states of a download, and ends with the installed product`()
    async throws
  {
    let workshop = try workshop()
    let library = try workshop.library()
    let updates = library.progress(of: product)
    let watching = Task { () -> ([ContentState], ContentProgress?) in
      var states: [ContentState] = []
      for await update in updates {
        if states.last != update.state { states.append(update.state) }
        if update.state == .finished { return (states, update) }
      }
      return (states, nil)
    }
    try await library.install(product)
    let (states, last) = await watching.value
    #expect(states == [.waiting, .active, .finished])
    #expect(last?.fractionCompleted == 1 && last?.receivedBytes ?? 0 > 300_000)
    var late = library.progress().makeAsyncIterator()
    #expect(await late.next()?.state == .finished)
  }

  @Test func `a canceled task installs nothing, and the next task installs the product`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    // The server never sends the package.
    workshop.script { request in
      guard request.path.hasSuffix(".pkg") else { return nil }
      var reply: ScriptedServer.Reply = ""
      reply.isHeld = true
      return reply
    }
    let running = Task { try await library.install(product) }
    try await library.reach(.active, of: product)
    let other = "com.example.other"
    let waiting = Task { try await library.install(other) }
    try await library.reach(.waiting, of: other)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await library.reach(.cancelled, of: other)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    try await library.reach(.cancelled, of: product)
    #expect(!workshop.folder.has("Documents/\(product)"))
    workshop.script(nil)
    try await library.install(product)
    try workshop.expectInstalled(Self.files)
  }

  @Test func `tasks that wait for their turn block no thread`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    workshop.script { request in
      guard request.path.hasSuffix(".pkg") else { return nil }
      var reply: ScriptedServer.Reply = ""
      reply.isHeld = true
      return reply
    }
    let running = Task { try await library.install(product) }
    try await library.reach(.active, of: product)
    // More tasks than the pool has threads: if each task blocked a thread, the loop below would never end.
    let waiting = (0..<100).map { _ in Task { try await library.statuses() } }
    for _ in 0..<1_000 { await Task.yield() }
    for task in waiting {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func `a task that is canceled before its work begins does nothing`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await library.install(product)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(workshop.server.received.isEmpty && !workshop.folder.has("Documents"))
  }

  @Test func `a paused download waits until it is resumed`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    library.pause()
    let running = Task { try await library.install(product) }
    try await library.reach(.paused, of: product)
    #expect(workshop.server.received.isEmpty)
    library.resume()
    #expect(try await running.value.version == "1.0")
  }

  @Test func `a failed download throws the error of the store, and can be repeated`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    workshop.script { $0.path.hasSuffix(".pkg") ? ScriptedServer.answer(403) : nil }
    await #expect(throws: StoreError.self) { try await library.install(product) }
    try await library.reach(.failed, of: product)
    workshop.script(nil)
    try await library.install(product)
    try await library.reach(.finished, of: product)
  }

  @Test func `content that a rule rejects is an error that names the finding`() async throws {
    let elf = [0x7F] + Array("ELF".utf8) + [2, 1, 1, 0] + [UInt8](repeating: 0, count: 8) + [2, 0, 62, 0]
    let workshop = try Workshop("1.0", [("helper.dat", elf + [UInt8](repeating: 0, count: 64))])
    let library = try workshop.library()
    await #expect {
      try await library.install(product)
    } throws: { error in
      guard case ContentLibraryError.rejected(product, _, let findings) = error else { return false }
      return findings.contains { $0.contains("executable") }
    }
    var updates = library.progress().makeAsyncIterator()
    #expect(await updates.next()?.state == .failed)
  }

  @Test func `invalid requests and configurations throw errors with a reason`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    await #expect(throws: ContentLibraryError.invalidProduct("../book")) {
      try await library.install("../book")
    }
    await #expect(throws: ContentLibraryError.notInstalled(product: product)) {
      try await library.update(product)
    }
    await #expect(throws: ContentLibraryError.notInstalled(product: product)) {
      try await library.remove(product)
    }
    await #expect(throws: ContentLibraryError.noService) {
      try await library.deliver(SignedTransaction("a.b.c"))
    }
    await #expect(throws: ContentLibraryError.self) { try await library.rollBack(product, to: "one") }
    for change: (inout LibraryConfiguration) -> Void in [{ $0.channel = "Be ta" }, { $0.appVersion = "one" }]
    {
      var configuration = try workshop.configuration
      change(&configuration)
      #expect(throws: ContentLibraryError.self) { try ContentLibrary(configuration) }
    }
    var configuration = try workshop.configuration
    configuration.trust = .keys("no key")
    #expect(throws: SignatureError.self) { try ContentLibrary(configuration) }
    for error: ContentLibraryError in [
      .invalidProduct("a b"), .notInstalled(product: "a"), .notEntitled(product: "a"), .noService,
      .rejected(product: "a", outcome: "invalid", findings: ["why"]),
    ] {
      #expect(error.description.first?.isUppercase == false && !error.description.hasSuffix("."))
    }
  }

  @Test func `removing a product invalidates its plan`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    let plan = try #require(try await library.plan(product))
    #expect(try await library.status(of: product).version == nil)
    try await library.remove(product)
    await #expect(throws: PartError.self) { try await plan.parts() }
  }

  @Test func `a refused removal keeps the unfinished download`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    try await library.install(product)
    try workshop.publish("2.0", Self.files.map { ($0.path, $0.bytes + [1]) })
    _ = try #require(try await library.plan(product))
    let received = try await library.status(of: product).downloadedBytes
    try workshop.folder.write("mine", to: "Documents/\(product)/chapter.txt")
    await #expect(throws: (any Error).self) { try await library.remove(product) }
    #expect(received != nil)
    #expect(try await library.status(of: product).downloadedBytes == received)
    try await library.remove(product, force: true)
    #expect(try await library.statuses().isEmpty)
  }

  @Test(arguments: ["1.0", "0.9"])
  func `a damaged installation that no release updates is an error until the product is removed`(
    available: String
  ) async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    try await library.install(product)
    try workshop.folder.remove("Documents/\(product)/music.dat")
    try workshop.publish(available, Self.files, sequence: 2)
    await #expect {
      try await library.install(product)
    } throws: { error in
      guard case ContentLibraryError.rejected(product, let outcome, _) = error else { return false }
      return outcome == "damaged"
    }
    if available == "1.0" {
      await #expect(throws: ContentLibraryError.self) { try await library.plan(product) }
    }
    try await library.remove(product)
    #expect(try await library.install(product).version == available)
    try workshop.expectInstalled(Self.files)
  }

  @Test func `a forced installation restores a damaged product, and keeps the files of the app`()
    async throws
  {
    let workshop = try workshop()
    let library = try workshop.library()
    try await library.install(product)
    try workshop.folder.remove("Documents/\(product)/music.dat")
    try workshop.folder.write("changed", to: "Documents/\(product)/chapter.txt")
    try workshop.folder.write("mine", to: "Documents/\(product)/notes.txt")
    let content = try await library.install(product, force: true)
    #expect(content.version == "1.0" && content.previousVersion == "1.0")
    try workshop.expectInstalled(Self.files)
    #expect(try await library.status(of: product).isIntact)
    let kept = "Documents/.iapkg/kept/\(product)/1/1.0"
    #expect(try workshop.folder.text("\(kept)/chapter.txt") == "changed")
    #expect(try workshop.folder.text("\(kept)/notes.txt") == "mine")
    #expect(try await library.install(product, force: true).reusedBytes >= 300_000)
    try workshop.publish("0.9", Self.files, sequence: 2)
    #expect(try await library.install(product, force: true).version == "1.0")
  }

  @Test func `an unreadable record concerns only its product`() async throws {
    let workshop = try workshop()
    let library = try workshop.library()
    try await library.install(product)
    let records = "Documents/.iapkg/records"
    let name = try #require(try workshop.folder.names(records).first { $0.hasPrefix(product) })
    let other = "com.example.other"
    try workshop.folder.write("{", to: "\(records)/\(name.replacing(product, with: other))")
    let downloads = "Documents/.iapkg/downloads"
    try workshop.publish("2.0", Self.files.map { ($0.path, $0.bytes + [1]) })
    _ = try #require(try await library.plan(product))
    let download = try #require(try workshop.folder.names(downloads).first { $0.hasPrefix(product) })
    try FileManager.default.copyItem(
      atPath: workshop.folder.place("\(downloads)/\(download)"),
      toPath: workshop.folder.place("\(downloads)/\(download.replacing(product, with: other))"))
    #expect(try await library.status(of: product).version == "1.0")
    await #expect(throws: (any Error).self) { try await library.status(of: other) }
    await #expect(throws: (any Error).self) { try await library.statuses() }
  }

  @Test func `content is excluded from backups on request, and not by default`() async throws {
    let workshop = try workshop()
    #expect(!LibraryConfiguration.excludesFromBackupsByDefault)
    var configuration = try workshop.configuration
    configuration.excludesFromBackups = true
    try await ContentLibrary(configuration).install(product)
    #expect(workshop.folder.has("Documents/\(product)/CACHEDIR.TAG"))
  }

  @Test func `the token is sent to the store, and only its owner can read its file`() async throws {
    let workshop = try workshop()
    try workshop.folder.makeFolder("app")
    workshop.script { request in
      request.headers["authorization"] == "Bearer secret" ? nil : ScriptedServer.answer(401)
    }
    await #expect(throws: StoreError.self) { try await workshop.library().install(product) }
    let tokens = workshop.tokens
    #expect(try tokens.token() == nil)
    let token = StoredToken(value: "secret", expires: Date(timeIntervalSince1970: 2_000_000_000))
    try tokens.store(token)
    #expect(try tokens.token() == token)
    let attributes = try FileManager.default.attributesOfItem(atPath: workshop.folder.place("app/token.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try await workshop.library(tokens: tokens).install(product).version == "1.0")
    try tokens.store(nil)
    try tokens.store(nil)
    #expect(try tokens.token() == nil)
  }
}

extension ContentLibrary {
  /// Waits until a product has a state.
  func reach(_ state: ContentState, of product: String) async throws {
    for await update in progress(of: product) where update.state == state { return }
    throw CancellationError()
  }
}

import AppContent
import Foundation

/// The code of the article "Ship your first product", which the tests run.
public enum FirstProduct {
  /// Opens the library of the app, as each start does.
  public static func makeLibrary(support: URL, store: URL, key: String) throws -> ContentLibrary {
    var configuration = LibraryConfiguration(
      documents: support.appendingPathComponent("Products", isDirectory: true), store: store,
      trust: .keys(key))
    configuration.appVersion = "1.0"
    let library = try ContentLibrary(configuration)
    return library
  }

  /// Installs the product, and returns its first chapter.
  public static func firstChapter(from library: ContentLibrary) async throws -> String {
    let book = try await library.install("com.example.book")
    let chapter = book.folder.appendingPathComponent("chapter-1.txt")
    return try String(contentsOf: chapter, encoding: .utf8)
  }

  /// Shows each update of the progress until the product is installed.
  public static func follow(_ library: ContentLibrary, show: (String) -> Void) async {
    for await update in library.progress(of: "com.example.book") {
      show("\(update.state): \(Int(update.fractionCompleted * 100)) %")
      if update.state == .finished { break }
    }
  }

  /// Installs the product in a task that a button can cancel.
  public static func start(_ library: ContentLibrary) -> Task<Void, any Error> {
    let download = Task { _ = try await library.install("com.example.book") }
    // A button calls download.cancel(), and the next installation resumes.
    return download
  }

  /// Updates the product, and returns to the earlier version if the new one is no good.
  public static func update(
    _ library: ContentLibrary, isGood: (URL) -> Bool
  ) async throws {
    if let update = try await library.availableUpdate(of: "com.example.book") {
      print("\(update.version) downloads \(update.transferBytes) bytes")
    }
    if let book = try await library.update("com.example.book"), !isGood(book.folder) {
      try await library.rollBack("com.example.book")
    }
  }

  /// Opens the library of an app that sells content.
  public static func makeShop(
    server: URL, support: URL, configuration: LibraryConfiguration
  ) throws -> ContentLibrary {
    let tokens = FileTokenStore(at: support.appendingPathComponent("token.json"))
    let service = try ContentService(server: server, folder: support, tokens: tokens)
    let library = try ContentLibrary(configuration, service: service)
    return library
  }

  /// Delivers a purchase, and finishes it afterwards.
  public static func deliver(
    _ jwsRepresentation: String, with library: ContentLibrary, finish: () async -> Void
  ) async throws {
    try await library.deliver(SignedTransaction(jwsRepresentation))
    await finish()  // Transaction.finish() of StoreKit
  }

  /// Starts the downloads that the system makes while the app is suspended.
  public static func startParts(
    of library: ContentLibrary, start: (URLRequestDescription) -> Void
  ) async throws {
    guard let plan = try await library.plan("com.example.book") else { return }
    for part in try await plan.parts() {
      start(URLRequestDescription(name: part.id, url: part.url, fields: part.headers))
    }
  }

  /// Accepts a file that the system has downloaded, and installs the product after the last one.
  public static func accept(_ file: URL, named name: String, by library: ContentLibrary) async throws {
    guard let plan = try await library.recordedPlan(for: "com.example.book") else { return }
    try await plan.accept(file, for: name)
    if try await plan.parts().isEmpty {
      try await plan.finish()
    }
  }
}

/// A request for the system, in place of a `URLRequest` with the name of its task.
public struct URLRequestDescription: Sendable {
  public let name: String
  public let url: URL
  public let fields: [String: String]
}

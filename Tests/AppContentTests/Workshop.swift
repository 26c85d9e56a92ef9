import AppContent
import ContentPackage
import Foundation
import PackageForge
import Synchronization
import TestSupport
import Testing

/// A folder for an app, and a web server with a store, whose release can change.
final class Workshop: Sendable {
  static let product = "com.example.book"

  typealias Files = [(path: String, bytes: [UInt8])]
  /// Returns a response in place of the right one; nil for the right one.
  typealias Script = @Sendable (_ request: ScriptedServer.Request) -> ScriptedServer.Reply?

  /// The content of the server, which can change.
  private final class Site: Sendable {
    let documents = Mutex<[String: [UInt8]]>([:])
    let script = Mutex<Script?>(nil)
  }

  let folder: TemporaryFolder
  let server: ScriptedServer
  /// The path of the store on the server.
  private let path: String
  private let site: Site

  init(_ version: String, _ files: Files, at path: String = "", signer: TestSigner? = nil) throws {
    folder = try TemporaryFolder()
    let site = Site()
    server = try ScriptedServer { request, _ in
      if let reply = site.script.withLock(\.self)?(request) { return reply }
      let name = String(request.path.dropFirst(path.utf8.count + 1))
      guard let document = site.documents.withLock({ $0[name] }) else { return ScriptedServer.answer(404) }
      return Self.reply(to: request, document)
    }
    self.path = path
    self.site = site
    try publish(version, files, signer: signer)
  }

  /// Replaces the release. By default, the sequence number of the catalog is the first part of the version.
  func publish(_ version: String, _ files: Files, sequence: Int64? = nil, signer: TestSigner? = nil) throws {
    let product = try #require(ProductIdentifier(Self.product))
    let release = try ForgedRelease(
      product, version, files.map { ("Contents/\($0.path)", $0.bytes) },
      sequence: sequence ?? Int64(version.prefix { $0 != "." }) ?? 1, signer: signer)
    site.documents.withLock { $0.merge(release.documents) { $1 } }
  }

  /// Sets the responses that replace documents of the store.
  func script(_ script: Script?) { site.script.withLock { $0 = script } }

  private static func reply(to request: ScriptedServer.Request, _ document: [UInt8]) -> ScriptedServer.Reply {
    let bounds = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-").map { Int($0) }
    guard let bounds, let first = bounds.first ?? nil, let last = bounds.last ?? nil else {
      return ScriptedServer.answer(200, [], document)
    }
    return ScriptedServer.answer(
      206, ["Content-Range: bytes \(first)-\(last)/\(document.count)"], Array(document[first...last]))
  }

  var configuration: LibraryConfiguration {
    get throws {
      LibraryConfiguration(
        documents: URL(fileURLWithPath: folder.place("Documents")),
        store: try #require(URL(string: server.address + path)), trust: .firstSeen)
    }
  }

  /// Opens the library, as each start of the app does.
  func library(tokens: (any TokenStore)? = nil) throws -> ContentLibrary {
    try ContentLibrary(try configuration, tokens: tokens)
  }

  /// Opens the API of the server and the library that uses it.
  func serviceAndLibrary() throws -> (ContentService, ContentLibrary) {
    let service = try ContentService(
      server: try #require(URL(string: server.address)), folder: URL(fileURLWithPath: folder.place("app")),
      tokens: tokens)
    return (service, try ContentLibrary(try configuration, service: service))
  }

  var tokens: FileTokenStore { FileTokenStore(at: URL(fileURLWithPath: folder.place("app/token.json"))) }

  func expectInstalled(_ files: Files) throws {
    #expect(try folder.names("Documents/\(Self.product)") == files.map(\.path).sorted())
    for (path, bytes) in files {
      #expect(try folder.bytes("Documents/\(Self.product)/\(path)") == bytes, "\(path)")
    }
  }
}

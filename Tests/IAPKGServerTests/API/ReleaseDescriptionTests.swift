import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The description of releases in the list of products.
struct ReleaseDescriptionTests {
  @Test func `the list of products has the notes, metadata and rollout of a release`() async throws {
    let server = try await TestServer()
    let package = try server.workspace.makePackage("com.example.book", version: "1.1")
    let notes = "\(server.workspace.path)/notes.de.md"
    try Data("Zwei <b>neue</b> Seiten".utf8).write(to: URL(fileURLWithPath: notes))
    let outcome = try await server.workspace.run(
      "iapkg", "publish", package, "--to", "store", "--notes", "de=\(notes)", "--metadata", "theme=\"dark\"",
      "--maximum-app-version", "9", "--rollout", "10%")
    #expect(outcome.code == 0, "\(outcome)")
    let products = try await server.ask(.get, "/v1/products").json["products"] as? [[String: Any]]
    let book = try #require(products?.first)
    #expect(book["contentVersion"] as? String == "1.1")
    #expect(book["maximumAppVersion"] as? String == "9")
    #expect(book["metadata"] as? [String: String] == ["theme": "\"dark\""])
    let rollout = try #require(book["rollout"] as? [String: Any])
    #expect(rollout["share"] as? Double == 0.1)
    let note = try #require((book["notes"] as? [[String: Any]])?.first)
    #expect(note["language"] as? String == "de" && note["type"] as? String == "text/markdown")
    let token = try await server.token(buying: "com.example.book")
    let text = try await server.ask(.get, "/v1/store/\(#require(note["path"] as? String))", token: token)
    #expect(text.status == 200 && text.body == Array("Zwei <b>neue</b> Seiten".utf8))
    let other = try #require(products?.last)
    #expect(other["rollout"] == nil && (other["notes"] as? [Any])?.isEmpty == true)
    #expect((other["metadata"] as? [String: Any])?.isEmpty == true)
  }
}

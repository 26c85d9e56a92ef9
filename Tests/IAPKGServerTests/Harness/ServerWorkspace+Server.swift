import Foundation
import TestSupport
import Testing

extension ServerWorkspace {
  /// Publishes two products and starts a server for the store.
  func startServer(
    on store: String = "store", _ environment: [String: String] = [:], more: [String] = []
  ) async throws -> (server: StartedProgram, address: String) {
    for product in ["com.example.book", "com.example.other"] {
      let package = try makePackage(product)
      let published = try await run("iapkg", ["publish", package, "--to", store], environment)
      try #require(published.code == 0, "\(published.errors)")
    }
    let made = try await run("iapkg-server", "testing", "make-root", "ca")
    try #require(made.code == 0, "\(made.errors)")
    // Without the signal, a write beyond the limit of a file's size fails as it does on a full disk.
    let server = try start(
      [
        "sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", program("iapkg-server"), "run", "--store",
        store, "--bundle-id", "com.example.app", "--listen", "127.0.0.1:0", "--allow-sandbox",
        "--testing-root",
        "ca/root.pem",
      ] + more, environment, to: "server")
    return (server, try #require(try await server.address(), "\(server.errors)"))
  }

  /// Signs a transaction under the root of `startServer`.
  func sign(_ product: String, _ options: String...) async throws -> String {
    try await sign(product, options)
  }

  func sign(_ product: String, _ options: [String]) async throws -> String {
    let signed = try await run(
      "iapkg-server",
      [
        "testing", "sign-transaction", "--certificates", "ca", "--bundle-id", "com.example.app", "--product",
        product,
      ] + options)
    try #require(signed.code == 0, "\(signed.errors)")
    return signed.output.trimmingCharacters(in: .newlines)
  }

  /// Posts a notification about a signed transaction.
  func notify(
    _ type: String, _ transaction: String, at address: String, _ options: [String] = []
  ) async throws -> Int {
    try Data(transaction.utf8).write(to: URL(fileURLWithPath: "\(path)/transaction.jws"))
    let signed = try await run(
      "iapkg-server",
      [
        "testing", "sign-notification", "--certificates", "ca", "--type", type, "--transaction",
        "transaction.jws", "--body",
      ] + options)
    try #require(signed.code == 0, "\(signed.errors)")
    return try await HTTPReply.curl("--json", signed.output, "\(address)/v1/notifications").status
  }

  /// Presents transactions and returns the response.
  func present(_ transactions: [String], at address: String) async throws -> [String: Any] {
    let list = transactions.map { "\"\($0)\"" }.joined(separator: ",")
    let reply = try await HTTPReply.curl(
      "--json", "{\"signedTransactions\": [\(list)]}", "\(address)/v1/transactions")
    return try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any] ?? [:]
  }

  /// Changes `ledger.sqlite` directly, without iapkg-server.
  func sqlite(_ statement: String) async throws {
    let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()"
    #expect(try await runPython(script, "\(path)/ledger.sqlite", statement).code == 0)
  }
}

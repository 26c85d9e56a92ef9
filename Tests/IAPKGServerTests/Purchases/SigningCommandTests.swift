import Foundation
import TestSupport
import Testing

@Suite("Signing and verifying on the command line")
struct SigningCommandTests {
  private let workspace: ServerWorkspace
  private let bundle = ["--bundle-id", "com.example.app"]

  init() async throws {
    workspace = try ServerWorkspace()
    #expect(try await workspace.run("iapkg-server", "testing", "make-root", "ca").output == "ca/root.pem\n")
  }

  private func sign(_ what: String, _ arguments: String...) async throws -> String {
    let outcome = try await workspace.run(
      "iapkg-server", ["testing", what, "--certificates", "ca"] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let name = UUID().uuidString
    try Data(outcome.output.utf8).write(to: URL(filePath: "\(workspace.path)/\(name)"))
    return name
  }

  private func verify(_ arguments: String...) async throws -> (code: Int32, json: [String: Any]) {
    let outcome = try await workspace.run("iapkg-server", ["verify"] + arguments)
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (outcome.code, try #require(json))
  }

  @Test func `a failed make-root leaves nothing behind`() async throws {
    let folder = "\(workspace.path)/present"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: "\(folder)/notes"))
    let script = """
      import os, resource, sys
      resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
      os.execv(sys.argv[1], sys.argv[1:])
      """
    for name in ["present", "new"] {
      let program = workspace.program("iapkg-server")
      let outcome = try await workspace.runPython(script, program, "testing", "make-root", name)
      #expect(outcome.code == 74 && outcome.errors.contains("\(name)/root.pem"), "\(outcome)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes"])
    #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/new"))
  }

  @Test func `a transaction is verified, and written as it was signed`() async throws {
    let file = try await sign(
      "sign-transaction", "--product", "com.example.coins", "--bundle-id", "com.example.app", "--type",
      "consumable", "--quantity", "7", "--transaction-id", "41", "--signed-date", "2026-01-01T00:00:00Z",
      "--revocation-percentage", "12.5", "--app-account-token", "7e3fb20b-4cdb-47cc-936d-99d65f608138")
    let (code, json) = try await verify(
      file, "--bundle-id", "com.example.app", "--environment", "Sandbox", "--root", "ca/root.pem")
    #expect(code == 0)
    #expect(json["quantity"] as? Int == 7)
    #expect(json["type"] as? String == "Consumable")
    #expect(json["transactionId"] as? String == "41")
    #expect(json["originalTransactionId"] as? String == "41")
    #expect(json["signedDate"] as? Int == 1_767_225_600_000)
    #expect(json["revocationPercentage"] as? Int == 12_500)
    #expect(json["storefront"] as? String == "USA")
  }

  @Test(arguments: [
    (
      ["--bundle-id", "com.example.other", "--environment", "Sandbox", "--root", "ca/root.pem"],
      "bundle-identifier"
    ),
    (
      ["--bundle-id", "com.example.app", "--environment", "Production", "--root", "ca/root.pem"],
      "environment"
    ),
    (["--bundle-id", "com.example.app", "--environment", "Sandbox"], "chain"),
  ])
  func `an invalid transaction exits with 1 and the reason`(arguments: [String], reason: String) async throws
  {
    let file = try await sign("sign-transaction", "--product", "book", "--bundle-id", "com.example.app")
    let outcome = try await workspace.run("iapkg-server", ["verify", file] + arguments)
    #expect(outcome.code == 1)
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(json?["reason"] as? String == reason)
    #expect(json?["command"] as? String == "verify")
    #expect(json?["schemaVersion"] as? Int == 1)
    #expect(outcome.errors.hasPrefix("error: "))
  }

  @Test func `a signature from before the certificates is expired`() async throws {
    let file = try await sign(
      "sign-transaction", "--product", "book", "--bundle-id", "com.example.app", "--signed-date", "1000")
    let (code, json) = try await verify(
      file, "--bundle-id", "com.example.app", "--environment", "Sandbox", "--root", "ca/root.pem")
    #expect(code == 1)
    #expect(json["reason"] as? String == "expired")
  }

  @Test func `a certificate without an OCSP server exits with 69 and the reason`() async throws {
    let file = try await sign("sign-transaction", "--product", "book", "--bundle-id", "com.example.app")
    let outcome = try await workspace.run(
      "iapkg-server",
      ["verify", file, "--environment", "Sandbox", "--root", "ca/root.pem", "--online-checks"] + bundle)
    #expect(outcome.code == 69)
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(json?["reason"] as? String == "unavailable")
    #expect(outcome.errors.contains("names no OCSP server"), "\(outcome.errors)")
  }

  @Test func `a notification is verified with the transaction in it, alone or as the App Store posts it`()
    async throws
  {
    let transaction = try await sign(
      "sign-transaction", "--product", "book", "--bundle-id", "com.example.app", "--environment", "Production"
    )
    let arguments = [
      "--type", "REFUND", "--subtype", "X", "--transaction", transaction, "--app-apple-id", "99",
    ]
    for more in [[], ["--body"]] {
      let signed = try await workspace.run(
        "iapkg-server", ["testing", "sign-notification", "--certificates", "ca"] + arguments + more)
      try Data(signed.output.utf8).write(to: URL(filePath: "\(workspace.path)/notification"))
      let (code, json) = try await verify(
        "notification", "--bundle-id", "com.example.app", "--environment", "production", "--app-apple-id",
        "99",
        "--root", "ca/root.pem")
      #expect(code == 0)
      #expect(json["notificationType"] as? String == "REFUND")
      #expect((json["transaction"] as? [String: Any])?["productId"] as? String == "book")
      let other = try await verify(
        "notification", "--bundle-id", "com.example.app", "--environment", "production", "--app-apple-id",
        "98",
        "--root", "ca/root.pem")
      #expect(other.code == 1)
      #expect(other.json["reason"] as? String == "app-identifier")
    }
  }

  @Test func `files above the maximum size are refused whole`() async throws {
    let file = "\(workspace.path)/large"
    let certificate = try Data(contentsOf: URL(filePath: "\(workspace.path)/ca/root.pem"))
    try (certificate + Data(count: 1 << 20)).write(to: URL(filePath: file))
    let (code, json) = try await verify("large", "--bundle-id", "a", "--environment", "Sandbox")
    #expect(code == 1)
    #expect(json["reason"] as? String == "malformed")
    let roots = try await workspace.run(
      "iapkg-server", ["verify", "ca/root.pem", "--root", "large", "--environment", "Sandbox"] + bundle)
    #expect(roots.code == 78 && roots.errors.contains("large has more than 1048576 bytes"), "\(roots)")
  }

  @Test func `invalid command lines and files have their own exit codes`() async throws {
    func code(_ arguments: String...) async throws -> Int32 {
      try await workspace.run("iapkg-server", arguments).code
    }
    let sandbox = ["--environment", "Sandbox"]
    #expect(try await workspace.run("iapkg-server", ["verify", "none"] + bundle + sandbox).code == 66)
    #expect(try await code("verify", "ca/root.pem", "--bundle-id", "a") == 64)
    #expect(try await code("verify", "ca/root.pem", "--bundle-id", "a", "--environment", "Moon") == 64)
    #expect(
      try await workspace.run(
        "iapkg-server", ["verify", "ca/root.pem", "--root", "ca/root.key"] + bundle + sandbox
      )
      .code == 78)
    #expect(try await code("testing", "make-root", "ca") == 73)
    #expect(try await code("testing", "sign-notification", "--certificates", "ca", "--type", "TEST") == 64)
    #expect(
      try await code(
        "testing", "sign-transaction", "--certificates", "none", "--product", "a", "--bundle-id", "b") == 66)
    let (malformed, json) = try await verify(
      "ca/root.pem", "--bundle-id", "a", "--environment", "Sandbox")
    #expect(malformed == 1)
    #expect(json["reason"] as? String == "malformed")
  }

  @Test func `the stub of verifyReceipt responds about testing receipts, and with requested statuses`()
    async throws
  {
    let transaction = try await sign(
      "sign-transaction", "--product", "book", "--bundle-id", "com.example.app")
    let stub = try workspace.start(
      "iapkg-server",
      ["testing", "verify-receipt-stub", "--certificates", "ca", "--status", "21005"], to: "stub")
    let address = try #require(await stub.address())
    let receipt = try Data(contentsOf: URL(filePath: "\(workspace.path)/\(transaction)"))
      .base64EncodedString()
    func answer(_ environment: String) async throws -> [String: Any]? {
      let reply = try await HTTPReply.curl(
        "--data", "{\"receipt-data\":\"\(receipt)\"}", "\(address)/\(environment)/verifyReceipt")
      #expect(reply.fields["deprecation"] == "@1685923200")
      return try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
    }
    #expect(try await answer("sandbox")?["status"] as? Int == 21005)
    #expect(try await answer("production")?["status"] as? Int == 21007)
    let good = try await answer("sandbox")
    #expect(good?["status"] as? Int == 0)
    #expect(((good?["receipt"] as? [String: Any])?["in_app"] as? [[String: Any]])?.count == 1)
    #expect(try await HTTPReply.curl("\(address)/elsewhere").status == 404)
  }
}

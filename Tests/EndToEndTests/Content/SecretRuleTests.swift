import Foundation
import PackageForge
import TestSupport
import Testing

/// Private keys in content.
@Suite(.waiting) struct SecretRuleTests {
  private let work: Workspace
  private static let base64 = String(
    repeating: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7/Abc0123456\n", count: 8)
  private static let certificate =
    "-----BEGIN CERTIFICATE-----\n" + String(repeating: base64, count: 12)
    + "-----END CERTIFICATE-----\n"

  init() throws {
    work = try Workspace()
    try work.makeBook("A", product: "com.a")
  }

  private static func pem(_ label: String, _ head: String = "") -> String {
    "-----BEGIN \(label)-----\n\(head)\(base64)-----END \(label)-----\n"
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
  func `a key in UTF-16 is found`(_ encoding: String.Encoding) throws {
    let text = try #require(Self.pem("PRIVATE KEY").data(using: encoding))
    try work.write(Array(text), to: "A/Contents/key.txt")
    try work.iapkg("create", "A").exits(1, saying: "[file/secret]")
  }

  @Test(
    arguments: [
      pem("PRIVATE KEY"), pem("ENCRYPTED PRIVATE KEY"), pem("RSA PRIVATE KEY"), pem("EC PRIVATE KEY"),
      pem("DSA PRIVATE KEY"), pem("OPENSSH PRIVATE KEY"), pem("PGP PRIVATE KEY BLOCK", "\n"),
      pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"),
      certificate + pem("PRIVATE KEY"),
      "{\"key\": \"" + pem("PRIVATE KEY").replacing("\n", with: "\\n") + "\"}",
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + String(repeating: base64, count: 30),
    ])
  func `a whole private key is an error that can be ignored`(_ text: String) throws {
    try work.write(text, to: "A/Contents/server.pem")
    try work.iapkg("validate", "A").exits(1)
    try work.iapkg("create", "A").exits(1, saying: "[file/secret]")
    try work.iapkg("create", "A", "--ignore", "file/secret", "-o", "a.pkg").exits(0)
    try work.iapkg("validate", "a.pkg").exits(1)
    try work.iapkg("validate", "a.pkg", "--ignore", "file/secret").exits(0)
  }

  @Test(arguments: [
    Array("bplist00".utf8) + [0x6F, 0x11, 0x02]
      + pem("PRIVATE KEY").utf8.flatMap { (byte: UInt8) -> [UInt8] in [0, byte] } + [
        0x08, 0x0D, 0, 0,
      ],
    Array(pem("PRIVATE KEY").split(separator: "\n").map { "# \($0)\n" }.joined().utf8),
    Array(pem("PRIVATE KEY").replacing("\n", with: "").utf8),
    Array(
      #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","#.utf8)
      + Array(#""d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}"#.utf8),
  ])
  func `a whole private key is found in any form`(_ bytes: [UInt8]) throws {
    try work.write(bytes, to: "A/Contents/data")
    try work.iapkg("validate", "A").exits(1)
    try work.iapkg("create", "A").exits(1, saying: "[file/secret]", "a private key")
  }

  @Test(arguments: [".ENV", ".Env.Production", "ID_RSA"])
  func `the letter case of a name does not matter`(_ name: String) throws {
    try work.write("x", to: "A/Contents/\(name)")
    #expect(try work.rules(in: "A") == ["file/secret"])
  }

  @Test func `every command refuses a private key unless it is ignored`() throws {
    try work.write(Self.pem("PRIVATE KEY"), to: "A/Contents/server.pem")
    try work.iapkg("create", "A", "--ignore", "file/secret", "-o", "a.pkg").exits(0)
    for words in [
      ["release", "A", "--to", "store"], ["publish", "a.pkg", "--to", "store"],
      ["export", "A", "--background-assets", "packs"], ["import", "a.pkg", "-o", "b.pkg"],
      ["import", "a.pkg", "--folder", "B"], ["extract", "a.pkg", "--into", "D"],
    ] {
      try work.iapkg(words).exits(1)
      try work.iapkg(words + ["--ignore", "file/secret"]).exits(0)
    }
    try work.remove("store")
    try work.write(
      "ignore:\n  - rule: file/secret\n    reason: a key for tests\n", to: "A/.iapkg.yml")
    try work.iapkg("release", "A", "--to", "store").exits(0)
    try work.iapkg("export", "A", "--background-assets", "others").exits(0)
  }

  @Test(arguments: [
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n",
  ])
  func `text that only looks like a key is a warning`(_ text: String) throws {
    try work.write(text, to: "A/Contents/notes.txt")
    let outcome = try work.iapkg("validate", "A").exits(0)
    #expect(outcome.output.contains("[file/secret]") && outcome.output.contains("warning"))
    try work.iapkg("create", "A").exits(0)
  }
}

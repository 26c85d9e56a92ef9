import Foundation
import IAPKGServer
import PackageForge
import TestSupport
import Testing

@Suite("The configuration of the server") struct ConfigurationTests {
  @Test(arguments: ["yml", "json"])
  func `a configuration file accepts every option of run, and nothing else`(kind: String) async throws {
    let workspace = try ServerWorkspace()
    let help = try await workspace.run("iapkg-server", "help", "run").output
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
      .compactMap { $0.split(separator: " ").first?.dropFirst(2) }
      .filter { !["config", "version"].contains($0) }
    #expect(options.count > 15)
    let lines = options.map { "\"\($0)\": \"\"" }
    let good = kind == "json" ? "{\(lines.joined(separator: ",\n"))}" : lines.joined(separator: "\n")
    try write(good, to: "\(workspace.path)/good.\(kind)")
    let known = try await workspace.run("iapkg-server", "check", "--config", "good.\(kind)")
    #expect(known.code == 78)
    #expect(!known.errors.contains("there is no option"), "\(known)")
    for option in options {
      let words =
        ["store", "bundle-id"].contains(option)
        ? "there is no \(option), expected" : "\(option) is empty, expected"
      #expect(known.errors.contains("error: \(words)"), "\(option)")
    }

    let bad = kind == "json" ? "{\"store\": \"s\",\n\"bundel-id\": \"b\"}" : "store: s\nbundel-id: b\n"
    try write(bad, to: "\(workspace.path)/bad.\(kind)")
    let unknown = try await workspace.run("iapkg-server", "check", "--config", "bad.\(kind)")
    #expect(unknown.code == 78)
    #expect(unknown.errors.contains("bad.\(kind):2:1: there is no option 'bundel-id'"), "\(unknown)")
  }

  @Test(arguments: [
    "[1, 2]", "store: [", "store: a\nstore: b\n", "store: &a x\nbundle-id: *a\n",
    "store: a\n---\nstore: b\n",
    "# " + String(repeating: "x", count: 64 << 10),
  ])
  func `an invalid configuration file is refused with its path`(text: String) async throws {
    let workspace = try ServerWorkspace()
    try write(text, to: "\(workspace.path)/bad.yml")
    let outcome = try await workspace.run("iapkg-server", "check", "--config", "bad.yml")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("bad.yml"), "\(outcome)")
  }

  @Test(arguments: ["foo", "10.0.0.0/33", "10.0.0.1,junk", "::1/129", "10/8"])
  func `a trusted proxy must be an address or a network`(value: String) async throws {
    let workspace = try ServerWorkspace()
    let outcome = try await workspace.run(
      "iapkg-server", "check", "--store", "s", "--bundle-id", "b", "--trusted-proxy", value)
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("expected addresses or networks such as 10.0.0.0/8"), "\(outcome)")
  }

  @Test func `all errors of options are reported together, from every source`() async throws {
    let workspace = try ServerWorkspace()
    try write("bundel-id: b\nproduct: p\nrate-limit: 0\n", to: "\(workspace.path)/bad.yml")
    let outcome = try await workspace.run(
      "iapkg-server", "check", "--config", "bad.yml", "--listen", "nowhere", "--app-apple-id", "x",
      environment: ["IAPKG_ON_OTHER_ACCOUNT": "keep", "IAPKG_TRUSTED_PROXY": "10.0.0.1,junk"])
    #expect(outcome.code == 78)
    #expect(
      outcome.errors == """
        error: bad.yml:1:1: there is no option 'bundel-id'; 'iapkg-server run --help' lists them
        error: bad.yml:2:1: there is no option 'product'; 'iapkg-server run --help' lists them
        error: there is no store, expected --store, IAPKG_STORE, or store in the file of --config
        error: there is no bundle-id, expected --bundle-id, IAPKG_BUNDLE_ID, or bundle-id in the file of --config
        error: listen is 'nowhere', expected an address and a port, such as 127.0.0.1:8080
        error: app-apple-id is 'x', expected a number above 0
        error: trusted-proxy is '10.0.0.1,junk', expected addresses or networks such as 10.0.0.0/8
        error: on-other-account is 'keep', expected reject, transfer or share
        error: rate-limit is '0', expected a number from 1 to 9223372036854775807

        """)
  }

  @Test func `a misspelled variable is reported without its value`() async throws {
    let workspace = try ServerWorkspace()
    let variables = [
      "IAPKG_DATABSE": "postgres://me:visible@localhost/ledger", "IAPKG_BUNDLE_ID": "b",
      "IAPKG_SERVER": "1", "OTHER_STORE": "s",
    ]
    let message = "the variable IAPKG_DATABSE is not an option; 'iapkg-server run --help' lists them"
    let checked = try await workspace.run("iapkg-server", "check", environment: variables)
    #expect(checked.code == 78)
    #expect(checked.errors.hasPrefix("error: \(message)\nerror: there is no store"), "\(checked)")
    #expect(checked.errors.count { $0.isNewline } == 2, "\(checked)")
    let run = try await workspace.run("iapkg-server", "run", environment: variables)
    #expect(run.code == 78)
    #expect(run.errors.contains("\"level\":\"warning\",\"message\":\"\(message)\""), "\(run)")
    #expect(!(checked.errors + run.errors).contains("visible"))
  }

  @Test func `an address in use is only a warning`() async throws {
    let workspace = try ServerWorkspace()
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    let server = try ScriptedServer { _, _ in nil }
    defer { server.close() }
    let address = "127.0.0.1:\(server.port)"
    let outcome = try await workspace.run(
      "iapkg-server", "check", "--store", "store", "--bundle-id", "b", "--listen", address,
      "--app-apple-id", "1")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.errors
        == "warning: \(address) is in use, perhaps by a running server with these options\n")
  }

  @Test func `the app's Apple ID is required, except with a testing root`() async throws {
    let workspace = try ServerWorkspace()
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    _ = try await workspace.run("iapkg-server", "testing", "make-root", "ca")
    let options = ["check", "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0"]
    let bad = try await workspace.run("iapkg-server", options)
    #expect(bad.code == 78)
    #expect(bad.errors.hasPrefix("error: there is no app-apple-id"), "\(bad)")
    #expect(!bad.output.contains("good"))
    let testing = try await workspace.run("iapkg-server", options + ["--testing-root", "ca/root.pem"])
    #expect(testing.code == 0, "\(testing)")
    #expect(testing.errors.hasPrefix("warning: there is no app-apple-id"), "\(testing)")
    let good = try await workspace.run("iapkg-server", options + ["--app-apple-id", "1"])
    #expect(good.code == 0, "\(good)")
    #expect(good.errors.isEmpty)
  }

  /// Publishes a store and returns the options of a valid configuration.
  private func good(_ workspace: ServerWorkspace) async throws -> [String] {
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    return [
      "--store", "store", "--bundle-id", "com.example.app", "--listen", "127.0.0.1:0", "--app-apple-id", "1",
    ]
  }

  @Test(arguments: ["", "# store: folder\n", "\n\n"])
  func `an empty configuration file has no options`(text: String) async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    for file in ["empty.yml", "empty.json"] {
      try write(text, to: "\(workspace.path)/\(file)")
      let alone = try await workspace.run("iapkg-server", "check", "--config", file)
      #expect(alone.code == 78 && alone.errors.hasPrefix("error: there is no store, expected"), "\(alone)")
      let outcome = try await workspace.run("iapkg-server", ["check", "--config", file] + options)
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test(arguments: [
    ("database", "a file or postgres://…"), ("account-proof", "token or purchase"), ("root", "a file"),
    ("allow-sandbox", "true or false"), ("listen", "an address and a port, such as 127.0.0.1:8080"),
  ])
  func `an empty value is refused, from every source`(name: String, expected: String) async throws {
    let workspace = try ServerWorkspace()
    let options = ["--store", "store", "--bundle-id", "b", "--app-apple-id", "1"]
    try write("\(name): \"\"\n", to: "\(workspace.path)/text.yml")
    try write("\(name):\n", to: "\(workspace.path)/null.yml")
    let variable = "IAPKG_" + name.uppercased().replacing("-", with: "_")
    var sources: [([String], [String: String])] = [
      (["--config", "text.yml"], [:]), (["--config", "null.yml"], [:]), ([], [variable: ""]),
    ]
    if name != "allow-sandbox" { sources.append((["--\(name)", ""], [:])) }
    for (more, environment) in sources {
      for command in ["check", "run"] {
        let outcome = try await workspace.run(
          "iapkg-server", [command] + options + more, environment)
        #expect(outcome.code == 78, "\(outcome)")
        #expect(outcome.errors.contains("error: \(name) is empty, expected \(expected)\n"), "\(outcome)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/iapkg-server.sqlite"))
  }

  @Test(arguments: ["allow-sandbox", "online-checks"])
  func `flags accept the Boolean words of YAML`(name: String) async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    for word in ["true", "yes", "On", "false", "no", "off", "\"true\""] {
      try write("\(name): \(word)\n", to: "\(workspace.path)/flag.yml")
      let outcome = try await workspace.run("iapkg-server", ["check", "--config", "flag.yml"] + options)
      #expect(outcome.code == 0, "\(outcome)")
    }
    for (word, shown) in [("~", "empty"), ("null", "empty"), ("\"null\"", "'null'"), ("2", "'2'")] {
      try write("\(name): \(word)\n", to: "\(workspace.path)/flag.yml")
      let outcome = try await workspace.run("iapkg-server", ["check", "--config", "flag.yml"] + options)
      #expect(
        outcome.code == 78 && outcome.errors == "error: \(name) is \(shown), expected true or false\n",
        "\(outcome)")
    }
  }

  @Test(arguments: ["leaf", "intermediate"])
  func `a root certificate must be self-signed`(name: String) async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    _ = try await workspace.run("iapkg-server", "testing", "make-root", "ca")
    for option in ["--root", "--testing-root"] {
      let outcome = try await workspace.run("iapkg-server", ["check", option, "ca/\(name).pem"] + options)
      #expect(outcome.code == 78, "\(outcome)")
      #expect(outcome.errors.contains("expected a certificate that signs itself"), "\(outcome)")
    }
  }

  @Test func `a database that other users can access is refused`() async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace) + ["--database", "ledger.sqlite"]
    #expect(try await workspace.run("iapkg-server", ["check"] + options).code == 0)
    let path = "\(workspace.path)/ledger.sqlite"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    for command in ["check", "run"] {
      let outcome = try await workspace.run("iapkg-server", [command] + options)
      #expect(outcome.code == 78, "\(outcome)")
      #expect(outcome.errors.contains("'chmod o= ledger.sqlite' keeps it secret"), "\(outcome)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(try await workspace.run("iapkg-server", ["check"] + options).code == 0)
    // The companions of a link are beside its target.
    try FileManager.default.createSymbolicLink(
      atPath: "\(workspace.path)/link.sqlite", withDestinationPath: "ledger.sqlite")
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path + "-wal")
    let linked = try await workspace.run(
      "iapkg-server", ["check"] + options.dropLast() + ["link.sqlite"])
    #expect(linked.code == 78 && linked.errors.contains("ledger.sqlite-wal' keeps it secret"), "\(linked)")
  }

  @Test func `a products file above the maximum size is refused`() async throws {
    let workspace = try ServerWorkspace()
    let path = "\(workspace.path)/large.json"
    try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
    try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 16 << 20 + 1)
    let outcome = try await workspace.run(
      "iapkg-server", ["check"] + good(workspace) + ["--products", "large.json"])
    #expect(outcome.code == 78 && outcome.errors.contains("expected at most 16777216"), "\(outcome)")
  }

  @Test(arguments: [
    (
      "trusted-proxy:\n  - 10.0.0.1\n",
      "bad.yml:1:1: 'trusted-proxy' is a list or a mapping, expected one value"
    ),
    ("rate-limit: 1.5\n", "rate-limit is '1.5', expected a number from 1 to"),
    ("allow-sandbox: maybe\n", "allow-sandbox is 'maybe', expected true or false"),
    ("bundle-id: com.example app\n", "bundle-id is 'com.example app', expected 1 to 255 of the characters"),
    (
      "bundle-id: 'com.example.app '\n",
      "bundle-id is 'com.example.app ', expected 1 to 255 of the characters"
    ),
    ("products: products.json\n", "'com.example.coins 100' is not a product identifier: expected 1 to 255"),
    ("admin-token-file: two\n", "two has 2 lines, expected one with the admin token"),
    ("admin-token-file: spaced\n", "the admin token in spaced has a space"),
    ("shared-secret-file: two\n", "two has 2 lines, expected one with the shared secret"),
    ("shared-secret-file: none\n", "none has no lines, expected one with the shared secret"),
    (
      "database: mysql://x/y\n",
      "database is 'mysql:…', which is neither the path of a file nor postgres://"
    ),
  ])
  func `a value that would be ignored or cannot work is refused`(text: String, words: String) async throws {
    let workspace = try ServerWorkspace()
    var options = try await good(workspace)
    if text.hasPrefix("bundle-id") { options.removeSubrange(2...3) }
    try write(text, to: "\(workspace.path)/bad.yml")
    try write(
      "{\"com.example.coins 100\": {\"type\": \"non-consumable\"}}", to: "\(workspace.path)/products.json")
    for (name, secret) in [
      ("two", "0123456789abcdef\n0123456789abcdef\n"), ("spaced", "0123456789 abcdef\n"), ("none", "\n"),
    ] {
      let path = "\(workspace.path)/\(name)"
      try write(secret, to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    for command in ["check", "run"] {
      let outcome = try await workspace.run("iapkg-server", [command, "--config", "bad.yml"] + options)
      #expect(outcome.code == 78 && outcome.errors.contains(words), "\(outcome)")
    }
  }

  @Test func `an admin token may end with a line break`() async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    for end in ["", "\n", "\r\n"] {
      let path = "\(workspace.path)/admin"
      try write("0123456789abcdef\(end)", to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let outcome = try await workspace.run(
        "iapkg-server", ["check", "--admin-token-file", "admin"] + options)
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `a configuration file, and the files that it names, may begin with a byte order mark`()
    async throws
  {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    _ = try await workspace.run("iapkg-server", "testing", "make-root", "ca")
    let root = try String(contentsOfFile: "\(workspace.path)/ca/root.pem", encoding: .utf8)
    let files = [
      "testing-root": root, "products": "{\"com.example.book\": {\"type\": \"non-consumable\"}}",
      "admin-token-file": "0123456789abcdef\n", "shared-secret-file": "0123456789abcdef\n",
      "token-key-file": "a hmac-sha256 \(Data(repeating: 7, count: 32).base64EncodedString())\n",
    ]
    for (name, text) in files {
      try write("\u{FEFF}\(text)", to: "\(workspace.path)/\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: "\(workspace.path)/\(name)")
    }
    let yaml = files.keys.sorted().map { "\($0): \($0)\n" }.joined()
    let json = "{" + files.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ") + "}"
    for text in [yaml, json] {
      try write("\u{FEFF}\(text)", to: "\(workspace.path)/config")
      let outcome = try await workspace.run("iapkg-server", ["check", "--config", "config"] + options)
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `errors are sentences without values of the program`() async throws {
    let workspace = try ServerWorkspace()
    let store = "\(workspace.path)/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    try write("{\"schemaVersion\": 1}", to: "\(store)/catalog.json")
    try write("store: [", to: "\(workspace.path)/bad.yml")
    try write("{\"store\": {\"a\": 1}}", to: "\(workspace.path)/bad.json")
    for options in [
      ["--store", "store", "--bundle-id", "b", "--app-apple-id", "1"], ["--config", "bad.yml"],
      ["--config", "bad.json"], ["--config", "none.yml"],
      ["--store", "store", "--bundle-id", "b", "--listen", "no.such.host.invalid:1"],
    ] {
      let outcome = try await workspace.run("iapkg-server", ["check"] + options)
      #expect(outcome.code == 78, "\(outcome)")
      for value in ["Problem", "Optional(", "Error(", "unknown(", "reason:", "Snapshot", "defect"] {
        #expect(!outcome.errors.contains(value), "\(outcome)")
      }
    }
  }

  @Test func `an address of another machine is refused`() async throws {
    let workspace = try ServerWorkspace()
    let outcome = try await workspace.run(
      "iapkg-server", "check", "--store", "s", "--bundle-id", "b", "--listen", "192.0.2.1:8080")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("error: cannot listen at 192.0.2.1:8080: "), "\(outcome)")
  }

  @Test func `a store without a catalog is refused`() async throws {
    let workspace = try ServerWorkspace()
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/empty", withIntermediateDirectories: false)
    let outcome = try await workspace.run("iapkg-server", "check", "--store", "empty", "--bundle-id", "b")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("has no catalog; make one with 'iapkg publish --to empty'"), "\(outcome)")
  }

  @Test(arguments: [
    (
      "catalog.json", #"{"format": "iapkg-catalog-1", "payload": "", "signature": null}"#,
      "store/catalog.json cannot be read: its format is 'iapkg-catalog-1', expected 'iapkg-catalog-2'"
    ),
    ("catalog.json", "{", "store/catalog.json cannot be read: "),
    ("products/", "{}", ".json does not match the catalog: its SHA-256 differs"),
  ])
  func `a store that is damaged, or of another version, is refused by check and logged by run`(
    prefix: String, text: String, words: String
  ) async throws {
    let workspace = try ServerWorkspace()
    let options = try await good(workspace)
    let files = FileManager.default.enumerator(atPath: "\(workspace.path)/store")?.compactMap {
      $0 as? String
    }
    let file = try #require(files?.first { $0.hasPrefix(prefix) && $0.hasSuffix(".json") })
    try write(text, to: "\(workspace.path)/store/\(file)")
    let outcome = try await workspace.run("iapkg-server", ["check"] + options)
    #expect(outcome.code == 78, "\(outcome)")
    #expect(outcome.errors.hasPrefix("error: store/") && outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.errors.count { $0.isNewline } == 1, "\(outcome)")
    let server = try workspace.start("iapkg-server", ["run"] + options, to: "server")
    let address = try #require(try await server.address(), "\(server.errors)")
    #expect(try await HTTPReply.curl("\(address)/v1/products").status == 503)
    server.send(SIGTERM)
    await server.wait()
    let lines = server.errors.split(separator: "\n").filter { $0.contains("the store cannot be read") }
    #expect(lines.count == 1 && lines.first?.contains(words) == true, "\(server.errors)")
  }

  @Test func `too few open files are reported`() async throws {
    let workspace = try ServerWorkspace()
    let started = try workspace.start(
      [
        "/bin/sh", "-c", "ulimit -n 32; exec \"$0\" check --store s --bundle-id b",
        workspace.program("iapkg-server"),
      ], to: "few")
    await started.wait()
    #expect(started.code == 69)
    #expect(started.errors == "error: the system grants 32 open files, expected at least 64; see ulimit -n\n")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}

import Foundation
import PackageForge
import TestSupport
import Testing

/// The pipeline examples work as documented.
@Suite(.waiting) struct ReportExampleTests {
  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples").path

  @Test func `the script builds a package and outputs its path`() throws {
    let work = try Workspace()
    try work.makeBook()
    let outcome = try package(
      work,
      [
        "GITHUB_OUTPUT": work.place("outputs"), "SARIF": "r.sarif", "JUNIT": "r.xml", "OUTPUT": "out",
        "PAGE": "p.html",
      ])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try work.text("outputs") == "packages=out/com.example.book-1.0.pkg\n")
    #expect(try JSON(parsing: work.text("r.sarif"))["version"] == "2.1.0")
    #expect(try work.text("r.xml").contains("failures=\"0\""))
    #expect(try work.text("p.html").contains("com.example.book 1.0"))
    try work.iapkg("validate", "out/com.example.book-1.0.pkg").succeeds()
  }

  @Test func `the script compares several products with a store and writes a comment`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.makeBook("Content/Book")
    try work.write("new", to: "Content/Book/Contents/new.txt")
    try work.makeBook("Content/Atlas", product: "com.example.atlas")
    let variables = ["STORE_URL": "store", "OUTPUT": "out", "COMMENT": "c.md", "VERSION_POLICY": "bump"]
    for folders in [["Content"], ["Content/Atlas", "Content/Book"]] {
      let outcome = try package(work, variables, folders)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(try work.names(in: "out") == ["com.example.atlas-1.0.pkg", "com.example.book-1.1.pkg"])
      let rows = try work.text("c.md").split(separator: "\n").filter { $0.hasPrefix("| com") }
      #expect(rows.count == 2, "\(rows)")
    }
    try work.write("newer", to: "Content/Book/Contents/new.txt")
    try work.iapkg("publish", "out/com.example.book-1.1.pkg", "--to", "store").succeeds()
    try work.write("", to: "c.md")
    let refused = try package(work, variables.merging(["VERSION_POLICY": "refuse"]) { $1 }, ["Content"])
    #expect(refused.code == 1 && refused.output.contains("[version/not-raised]"), "\(refused)")
    #expect(try work.text("c.md").contains("| 1 error |"))
  }

  @Test func `the script accepts a store without a catalog`() throws {
    let work = try Workspace()
    try work.makeBook()
    let outcome = try package(work, ["STORE_URL": "missing", "COMMENT": "c.md"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(work.exists("com.example.book-1.0.pkg") && work.exists("c.md"))
  }

  @Test func `the script writes the report and annotations of an invalid folder`() throws {
    let work = try Workspace()
    try work.makeBook(version: "1.0-beta")
    let outcome = try package(work, ["GITHUB_ACTIONS": "true", "SARIF": "r.sarif"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.hasPrefix("::error file=Book/ContentInfo.plist,line=5,"), "\(outcome)")
    #expect(try work.text("r.sarif").contains("\"ruleId\" : \"manifest/content-version\""))
    #expect(try work.names() == ["Book", "r.sarif"])
  }

  @Test func `the script refuses changed content of the published version, or raises the version`() throws {
    let work = try Workspace()
    try work.makeBookPackage("published.pkg")
    try work.makeBook()
    try work.write("new", to: "Book/Contents/new.txt")
    let refused = try package(work, ["PUBLISHED": "published.pkg"])
    #expect(refused.code == 1 && refused.output.contains("[version/not-raised]"), "\(refused)")
    let annotated = try package(
      work, ["PUBLISHED": "published.pkg", "GITHUB_ACTIONS": "true", "SARIF": "r.sarif"])
    #expect(annotated.code == 1, "\(annotated)")
    #expect(annotated.output.hasPrefix("::error file=Book/ContentInfo.plist,title=version/not-raised::"))
    #expect(try work.text("r.sarif").contains("\"ruleId\" : \"version/not-raised\""))
    let raised = try package(work, ["PUBLISHED": "published.pkg", "VERSION_POLICY": "bump"])
    #expect(raised.code == 0, "\(raised)")
    #expect(work.exists("com.example.book-1.1.pkg"))
    #expect(try package(work, ["VERSION_POLICY": "guess"]).code == 64)
  }

  @Test func `the script raises the products that differ from a folder of published packages`() throws {
    let work = try Workspace()
    for name in ["atlas", "book"] {
      let product = "com.example.\(name)"
      try work.makeBook("products/\(name)", product: product)
      try work.makeBookPackage("published/\(name).pkg", product: product)
    }
    try work.makeBook("products/new", product: "com.example.new")
    try work.write("new", to: "products/book/Contents/new.txt")
    let outcome = try package(work, ["PUBLISHED": "published", "VERSION_POLICY": "bump"], ["products"])
    #expect(outcome.code == 0, "\(outcome)")
    for name in ["atlas-1.0", "book-1.1", "new-1.0"] {
      #expect(work.exists("com.example.\(name).pkg"), "\(outcome)")
    }
  }

  @Test(.enabled(if: Machine.has("make")))
  func `the Makefile packs and publishes every folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Atlas", product: "com.example.atlas")
    let outcome = try work.run(["make", "-f", Self.examples + "/make/Makefile"], environment: environment)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try work.names(in: "packages") == ["com.example.book-1.0.pkg", "com.example.atlas-1.0.pkg"])
    let words = ["make", "-f", Self.examples + "/make/Makefile", "publish", "STORE=store"]
    for sequence in ["catalog 1 of ", "catalog 1 of "] {
      let published = try work.run(words, environment: environment)
      #expect(published.code == 0, "\(published)")
      let catalog = try work.iapkg("catalog", "--from", "store").succeeds().output
      #expect(catalog.hasPrefix(sequence) && catalog.contains("com.example.atlas"), "\(catalog)")
    }
  }

  @Test(.enabled(if: Machine.has("ssh-keygen")))
  func `the script publishes packages with a key from a secret file`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    // As pipelines provide secrets: readable by others, and without the last line break.
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "key"]).code == 0)
    let key = try work.text("key").trimmingCharacters(in: .newlines)
    try work.write(key.replacingOccurrences(of: "\n", with: "\r\n"), to: "secret")
    let settings = ["STORE": "store", "SIGNING_KEY_FILE": "secret"]

    let planned = try publish(work, settings.merging(["DRY_RUN": "true"]) { $1 })
    #expect(planned.code == 0 && planned.output.contains("would be published"), "\(planned)")
    #expect(!work.exists("store"))
    let first = try publish(work, settings)
    #expect(first.code == 0 && !first.errors.contains("catalog.json"), "\(first)")
    try work.iapkg("catalog", "verify", "--deep", "--from", "store", "--trust", "key.pub").succeeds()

    try work.makeBook()
    try work.write("new", to: "Book/Contents/new.txt")
    try work.iapkg("create", "Book", "-o", "Changed.pkg").exits(0)
    let refused = try publish(work, settings, "Changed.pkg")
    #expect(refused.code == 1 && refused.errors.contains("[version/already-published]"), "\(refused)")
    try work.iapkg("bump", "Book").exits(0)
    try work.iapkg("create", "Book", "-o", "Next.pkg").exits(0)
    for kind in ["STORE_URL", "SIGNING_KEY"] {
      let other = kind == "SIGNING_KEY" ? ["SIGNING_KEY": key, "SIGNING_KEY_FILE": ""] : [kind: "store"]
      let next = try publish(work, settings.merging(other) { $1 }, "Book.pkg", "Next.pkg")
      #expect(next.code == 0, "\(next)")
      #expect(
        next.output.contains(kind == "STORE_URL" ? "+ Contents/new.txt" : "already published"), "\(next)")
    }
    #expect(try work.iapkg("catalog", "--from", "store").output.hasPrefix("catalog 2 of "))
    let unusable = try publish(work, ["STORE": "other", "SIGNING_KEY": "nonsense"])
    #expect(unusable.code == 1 && unusable.errors.contains("the signing key cannot be used"), "\(unusable)")
    #expect(!work.exists("other"))
  }

  @Test(.enabled(if: Machine.has("ssh-keygen") && Machine.has("python3")))
  func `the script publishes to a bucket with credentials from the environment`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "key"]).code == 0)
    let bucket = try BucketServer(work)
    let settings = bucket.environment.merging(["STORE": BucketServer.store, "SIGNING_KEY_FILE": "key"]) { $1 }
    let outcome = try publish(work, settings)
    #expect(outcome.code == 0, "\(outcome)")
    try bucket.iapkg("catalog", "verify", "--from", BucketServer.store, "--trust", "key.pub").exits(0)
  }

  @Test(.enabled(if: Machine.has("curl") && Machine.has("python3")))
  func `the scripts compare with the newest release on a web server`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("a mistake", to: "Book/Contents/wrong.txt")
    try work.iapkg("create", "Book", "-o", "Book.pkg").exits(0)
    try work.remove("Book")
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.iapkg("withdraw", "com.example.book", "1.0", "--reason", "x", "--to", "store").succeeds()
    for (version, channel) in [("1.1", "stable"), ("2.0", "beta")] {
      try work.makeBookPackage("\(version).pkg", version: version)
      try work.iapkg("publish", "\(version).pkg", "--to", "store", "--channel", channel).succeeds()
    }
    let server = try work.start([
      Python.path, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", "store", "0",
    ])
    defer {
      server.running.send(SIGKILL)
      _ = server.running.wait()
    }
    // Serving HTTP on 127.0.0.1 port 40000 (http://127.0.0.1:40000/) ...
    try server.waitForOutput { $0.contains("/)") }
    let address = try #require(server.output().split { "()".contains($0) }.dropFirst().first).dropLast()
    let settings = ["STORE_URL": String(address), "no_proxy": "127.0.0.1"]

    let published = [Self.examples + "/ci/published", "com.example.book", "found/Book.pkg"]
    let variables = environment.merging(["STORE": String(address), "no_proxy": "127.0.0.1"]) { $1 }
    #expect(try work.run(published, environment: variables).code == 0)
    #expect(try work.bytes("found/Book.pkg") == work.bytes("1.1.pkg"))
    let missing = [Self.examples + "/ci/published", "com.example.other", "found/Other.pkg"]
    #expect(try work.run(missing, environment: variables).code == 0)
    #expect(!work.exists("found/Other.pkg"))

    try work.makeBook(version: "1.1")
    try work.write("new", to: "Book/Contents/new.txt")
    let refused = try package(work, settings)
    #expect(refused.code == 1 && refused.output.contains("[version/not-raised]"), "\(refused)")
    let raised = try package(
      work, settings.merging(["VERSION_POLICY": "bump", "PAGE": "page.html"]) { $1 })
    // The page compares with the releases of the web server.
    #expect(try work.text("page.html").contains(#""updates":[{"channel":"stable","contentVersion":"1.1""#))
    #expect(raised.code == 0 && work.exists("com.example.book-1.2.pkg"), "\(raised)")
  }

  @Test(.enabled(if: Machine.has("nginx") && Machine.has("curl")))
  func `nginx serves a store with the headers that caches need`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "store/index.html").succeeds()
    let server = try String(contentsOfFile: "\(Self.examples)/nginx/store.conf", encoding: .utf8)
      .replacingOccurrences(of: "listen 8080;", with: "listen unix:\(work.place("socket"));")
      .replacingOccurrences(of: "root /srv/store;", with: "root \(work.place("store"));")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(work.place("temporary"));" }.joined(separator: "\n")
    try work.write(
      """
      daemon off;
      master_process off;
      pid \(work.place("pid"));
      error_log stderr;
      events {}
      http {
        access_log off;
        \(temporary)
        \(server)
      }
      """, to: "nginx.conf")
    let program = try work.start(["nginx", "-p", work.place(""), "-c", work.place("nginx.conf")])
    defer {
      program.running.send(SIGKILL)
      _ = program.running.wait()
    }
    try Waiting.until { work.exists("socket") }
    func answer(_ path: String, _ options: String...) throws -> String {
      try work.run(
        ["curl", "-sS", "--retry", "3", "--retry-all-errors", "-o", "body", "-D", "-"] + options
          + ["--unix-socket", work.place("socket"), "http://store/\(path)"]
      ).exits(0).output.lowercased()
    }
    let immutable = "cache-control: public, max-age=31536000, immutable"
    #expect(try answer("catalog.json").contains("cache-control: no-cache"))
    #expect(try work.bytes("body") == work.bytes("store/catalog.json"))
    for (folder, kind) in [("products", "application/json"), ("releases", "application/octet-stream")] {
      let suffix = folder == "products" ? ".json" : ".pkg"
      let names = try work.names(in: "store/\(folder)/com.example.book")
      let name = try #require(names.first { $0.hasSuffix(suffix) })
      let head = try answer("\(folder)/com.example.book/\(name)", "-r", "2-5")
      #expect(head.contains(" 206 ") && head.contains(immutable) && head.contains(kind), "\(head)")
      #expect(try work.bytes("body").count == 4)
    }
    for page in ["", "index.html"] {
      let head = try answer(page)
      #expect(head.contains("content-type: text/html; charset=utf-8\r\n"), "\(head)")
      #expect(head.contains("cache-control: no-cache"), "\(head)")
    }
    #expect(try answer("catalog.json").contains("content-type: application/json\r\n"))
    for missing in ["releases/com.example.book/9.pkg", ".iapkg-lock", "releases/.9.pkg.iapkg-1"] {
      let head = try answer(missing)
      #expect(head.contains(" 404 ") && !head.contains("immutable"), "\(head)")
    }
  }

  @Test(
    .enabled(if: Machine.has("python3")),
    arguments: [
      "github/action.yml", "github/publish/action.yml", "github/workflow.yml", "gitlab/.gitlab-ci.yml",
    ])
  func `the YAML is valid and runs only the scripts`(_ file: String) throws {
    let work = try Workspace()
    let program = """
      import sys
      try: import yaml
      except ImportError: sys.exit(77)
      print(yaml.safe_load(open(sys.argv[1], encoding="utf-8")))
      """
    let outcome = try work.run([Python.path, "-c", program, "\(Self.examples)/\(file)"])
    #expect(outcome.code == 0 || outcome.code == 77, "\(outcome)")
    let text = try String(contentsOfFile: "\(Self.examples)/\(file)", encoding: .utf8)
    for line in text.split(separator: "\n") where line.contains(" run:") || line.contains(" - Examples") {
      #expect(["package", "publish", "comment", "tool"].contains { line.contains("/ci/\($0)") }, "\(line)")
    }
  }

  private var environment: [String: String] {
    let folder = (BuiltProgram.path as NSString).deletingLastPathComponent
    return ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "LC_ALL": "C.UTF-8"]
  }

  private func publish(
    _ work: Workspace, _ variables: [String: String], _ packages: String...
  ) throws -> Outcome {
    let words = [Self.examples + "/ci/publish"] + (packages.isEmpty ? ["Book.pkg"] : packages)
    return try work.run(words, environment: environment.merging(variables) { $1 })
  }

  private func package(
    _ work: Workspace, _ variables: [String: String], _ folders: [String] = ["Book"]
  ) throws -> Outcome {
    try work.run(
      [Self.examples + "/ci/package"] + folders, environment: environment.merging(variables) { $1 })
  }
}

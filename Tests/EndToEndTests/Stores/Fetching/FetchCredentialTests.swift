import Foundation
import PackageForge
import TestSupport
import Testing

/// The tokens and header fields sent to a web server.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct FetchCredentialTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws {
    work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.write("s3cret\n", to: "token")
  }

  /// Serves a folder to requests with the token and the field `X-Shop: a`. Other requests get the status in the arguments.
  private static let script = """
    import functools, http.server, sys
    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            if self.headers.get("Authorization") != "Bearer s3cret" or self.headers.get("X-Shop") != "a":
                self.send_error(int(sys.argv[2]))
                return
            super().do_GET()
        def log_message(self, *_): pass
    handler = functools.partial(Handler, directory=sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  private func serving(status: Int = 401, _ body: (String) throws -> Void) throws {
    let server = try work.start([Python.path, "-c", Self.script, work.place("store"), "\(status)"])
    defer {
      server.running.send(SIGKILL)
      _ = server.running.wait()
    }
    try server.waitForOutput { $0.hasSuffix("\n") }
    try body("http://127.0.0.1:\(try server.output().trimmingCharacters(in: .newlines))")
  }

  @Test(arguments: [401, 403])
  func `a token and header fields give access to a store, which is denied without them`(_ status: Int) throws
  {
    try serving(status: status) { address in
      let words = ["fetch", product, "--from", address]
      let refused = "catalog.json answered with status \(status): "
      try work.iapkg(words, environment: ["no_proxy": "127.0.0.1"])
        .fails(
          77, saying: refused + "no token was given; give a valid one with --token-file")
      try work.iapkg(words + ["--token-file", "token"], environment: ["no_proxy": "127.0.0.1"])
        .fails(
          77,
          saying: refused
            + (status == 401 ? "the token is wrong or has expired" : "the token does not permit access to it")
        )
      let more = ["--token-file", "token", "--header", "X-Shop: a", "--limit-rate", "10MB"]
      let fetched = try work.iapkg(words + more, environment: ["no_proxy": "127.0.0.1"]).succeeds()
      #expect(
        fetched.output.contains("warning: the catalog is not signed, and the connection is not encrypted"))
      try work.iapkg("status", "--verify").succeeds()
      #expect(try !work.text("Documents/.iapkg/origins/\(product)").contains("s3cret"))
    }
  }

  @Test func `every command that reads a store accepts a token`() throws {
    let server = try TokenServer(work, "store")
    try work.makeBook()
    for words in [
      ["catalog", "--from", server.address], ["catalog", "verify", "--deep", "--from", server.address],
      ["catalog", "copy", "--from", server.address, "--to", "copy"],
      ["report", "Book", "-o", "page.html", "--against", server.address],
    ] {
      let environment = ["no_proxy": "127.0.0.1"]
      try work.iapkg(words, environment: environment).exits(77, saying: "--token-file")
      try work.iapkg(words + server.options, environment: environment).exits(0)
    }
    try work.iapkg("report", "Book", "-o", "page.html", "--header", "X-Shop: a").fails(64, saying: "--header")
  }

  @Test func `an invalid header field or token is refused without quoting it`() throws {
    for words in [["--header", "s3cret"], ["--header", "s3 cret: x"], ["--token-file", "Book.pkg"]] {
      let outcome = try work.iapkg(["fetch", product, "--from", "http://127.0.0.1:1"] + words).exits(64)
      #expect(!outcome.errors.contains("s3") && !outcome.errors.contains("cret"), "\(outcome)")
    }
    try work.iapkg("fetch", product, "--from", "http://127.0.0.1:1", "--token-file", "none").fails(
      66, saying: "none")
    try work.iapkg("fetch", product, "--from", "store", "--token-file", "token")
      .fails(64, saying: "is not the address of a web server")
  }
}

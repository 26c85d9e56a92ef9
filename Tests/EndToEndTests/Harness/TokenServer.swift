import Foundation
import PackageForge
import TestSupport
import Testing

/// A web server on loopback that serves a folder to requests with a token and a header field.
final class TokenServer {
  private static let script = """
    import functools, http.server, sys
    class Handler(http.server.SimpleHTTPRequestHandler):
        def is_known(self):
            if self.headers.get("Authorization") == "Bearer s3cret" and self.headers.get("X-Shop") == "a": return True
            self.send_error(401)
        def do_GET(self):
            if self.is_known(): super().do_GET()
        def do_HEAD(self):
            if self.is_known(): super().do_HEAD()
        def log_message(self, *_): pass
    handler = functools.partial(Handler, directory=sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  let address: String
  /// The options that grant access.
  let options = ["--token-file", "server-token", "--header", "X-Shop: a"]
  private let program: WatchedProgram

  init(_ work: Workspace, _ folder: String) throws {
    try work.write("s3cret\n", to: "server-token")
    program = try work.start([Python.path, "-c", Self.script, work.place(folder)])
    try program.waitForOutput { $0.hasSuffix("\n") }
    address = "http://127.0.0.1:\(try program.output().trimmingCharacters(in: .newlines))"
  }

  deinit {
    program.running.send(SIGKILL)
    _ = program.running.wait()
  }
}

import Foundation
import PackageForge
import TestSupport
import Testing

/// nginx on loopback, which serves a folder as Debian configures it, for one test.
final class WebServer {
  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Scripts").path
  private static let script = """
    import signal, sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    from nginx import Server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with Server(sys.argv[2], sys.argv[3]) as server:
        print(server.address, flush=True)
        signal.pause()
    """

  let address: String
  private let program: WatchedProgram

  init(_ work: Workspace, _ folder: String) throws {
    program = try work.start([
      Python.path, "-c", Self.script, Self.scripts, work.place(folder), work.place("."),
    ])
    try program.waitForOutput { $0.hasSuffix("\n") }
    address = try program.output().trimmingCharacters(in: .newlines)
  }

  deinit {
    program.running.send(SIGTERM)
    _ = program.running.wait()
  }
}

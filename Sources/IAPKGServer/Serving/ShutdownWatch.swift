import ServiceLifecycle
import Support

/// Calls `end` some time after the server is asked to stop, whatever still hangs: a database, a file system or a request
/// to another server.
struct ShutdownWatch: Service {
  let limit: Duration
  let end: @Sendable () -> Void

  func run() async {
    do { try await gracefulShutdown() } catch { return }
    // A thread of its own, because all others may hang.
    _ = BackgroundThread.start {
      _ = Monitor(false).wait(atMost: limit) { $0 ? () : nil }
      end()
    }
  }
}

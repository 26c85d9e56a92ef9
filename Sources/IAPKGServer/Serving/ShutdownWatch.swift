import ServiceLifecycle
import Support

/// Calls `end` when `limit` has passed after the server is asked to stop, even if a database, a file system or a
/// request to another server still hangs.
struct ShutdownWatch: Service {
  let limit: Duration
  let end: @Sendable () -> Void

  func run() async {
    do { try await gracefulShutdown() } catch { return }
    // A separate thread, because all others may hang.
    _ = BackgroundThread.start {
      _ = Monitor(false).wait(atMost: limit) { $0 ? () : nil }
      end()
    }
  }
}

import Logging
import ServiceLifecycle
import Testing

@testable import IAPKGServer

@Suite("The end of the server") struct ShutdownTests {
  /// A service that ignores the request to stop.
  private struct HangingService: Service {
    let started: AsyncStream<Void>.Continuation
    let released: AsyncStream<Void>

    func run() async {
      started.finish()
      for await _ in released {}
    }
  }

  @Test func `the server ends in time, even if a service hangs`() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let services: [any Service] = [
      HangingService(started: start, released: released),
      ShutdownWatch(limit: .zero) { end.finish() },
    ]
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
        logger: Logger(label: "test")))
    async let running: Void = group.run()
    for await _ in started {}
    await group.triggerGracefulShutdown()
    for await _ in ended {}
    release.finish()
    try await running
  }
}

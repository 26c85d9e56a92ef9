import Delivery
import SafeFiles
import Support
import SystemPackage
import Testing

@testable import IAPKGCommands

/// What a command says of bytes that it cannot read.
struct SourceErrorTests {
  private static func failure(_ error: any Error) -> CommandFailure {
    CommandFailure(error, cancellation: Cancellation(), inputs: [])
  }

  @Test(
    arguments: [
      (.file(FileFailure(.read, "a.pkg", .ioError)), .inputOutput, "cannot read a.pkg: Input/output error"),
      (
        .file(FileFailure(.open, "a.pkg", .permissionDenied)), .noInput,
        "cannot open a.pkg: Permission denied"
      ),
      (.endedEarly("a.pkg"), .inputOutput, "cannot read a.pkg: it became shorter while it was read"),
      (
        .changed("a.pkg"), .inputOutput,
        "a.pkg changed while it was read; try again when no other program writes to it"
      ),
    ] as [(SourceError, IAPKGCommands.ExitStatus, String)])
  func `each kind of error has its exit code and words`(
    _ error: SourceError, _ status: IAPKGCommands.ExitStatus, _ message: String
  ) {
    let failure = Self.failure(error)
    #expect(failure.status == status)
    #expect(failure.message == message)
    #expect(failure.path == "a.pkg")
    let stored = Self.failure(StoreFailure(error, reading: "a.pkg"))
    #expect(stored.status == status)
    #expect(stored.message == message)
  }

  @Test func `an error of a transport keeps its exit code and words`() {
    let denied = StoreFailure(.denied, "https://example.com/a.pkg", "access is denied (403)")
    let failure = Self.failure(SourceError.transport(denied))
    #expect(failure.status == .denied)
    #expect(failure.message == denied.message)
    #expect(failure.path == denied.place)
    #expect(SourceError.transport(denied).description == denied.message)
    let stopped = StoreFailure(.cancelled, "https://example.com/a.pkg", "stopped")
    #expect(Self.failure(SourceError.transport(stopped)).status == .interrupted)
  }
}

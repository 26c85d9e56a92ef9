import Delivery
import SafeFiles
import Support
import SystemPackage
import Testing

@testable import IAPKGCommands

/// The exit codes and messages for unreadable sources.
struct SourceErrorTests {
  private static func commandError(_ error: any Error) -> CommandError {
    CommandError(error, cancellation: Cancellation(), inputs: [])
  }

  @Test(
    arguments: [
      (.file(FileError(.read, "a.pkg", .ioError)), .inputOutput, "cannot read a.pkg: Input/output error"),
      (
        .file(FileError(.open, "a.pkg", .permissionDenied)), .noInput,
        "cannot open a.pkg: Permission denied"
      ),
      (.endedEarly("a.pkg"), .inputOutput, "cannot read a.pkg: it became shorter while it was read"),
      (
        .changed("a.pkg"), .inputOutput,
        "a.pkg changed while it was read; try again when no other program writes to it"
      ),
    ] as [(SourceError, IAPKGCommands.ExitStatus, String)])
  func `each kind of error has its exit code and message`(
    _ sourceError: SourceError, _ status: IAPKGCommands.ExitStatus, _ message: String
  ) {
    let error = Self.commandError(sourceError)
    #expect(error.status == status)
    #expect(error.message == message)
    #expect(error.path == "a.pkg")
    let stored = Self.commandError(StoreError(sourceError, reading: "a.pkg"))
    #expect(stored.status == status)
    #expect(stored.message == message)
  }

  @Test func `an error of a transport keeps its exit code and message`() {
    let denied = StoreError(.denied, "https://example.com/a.pkg", "access is denied (403)")
    let error = Self.commandError(SourceError.transport(denied))
    #expect(error.status == .denied)
    #expect(error.message == denied.message)
    #expect(error.path == denied.place)
    #expect(SourceError.transport(denied).description == denied.message)
    let stopped = StoreError(.cancelled, "https://example.com/a.pkg", "stopped")
    #expect(Self.commandError(SourceError.transport(stopped)).status == .interrupted)
  }

  @Test func `a file whose reading was cancelled is an interruption`() {
    let cancellation = Cancellation()
    cancellation.cancel(signal: 15)
    let canceled = FileError(.read, "notes.txt", .canceled)
    for error in [canceled, SourceError.file(canceled)] as [any Error] {
      let found = CommandError(error, cancellation: cancellation, inputs: [])
      #expect(found.status == .terminated)
      #expect(found.message == "interrupted; nothing was changed")
    }
  }

  @Test(
    arguments: [
      (.missing, .unavailable), (.noStore, .noInput), (.conditionFailed, .busy), (.conflict, .busy),
      (.denied, .denied), (.unreachable, .unavailable), (.rangeIgnored, .unavailable),
      (.invalidResponse, .unavailable), (.tooLarge, .untrustworthy), (.unsuitable, .usage),
    ] as [(StoreError.Reason, IAPKGCommands.ExitStatus)])
  func `each reason of a store has its exit code`(
    _ reason: StoreError.Reason, _ status: IAPKGCommands.ExitStatus
  ) {
    let error = Self.commandError(StoreError(reason, "store", "words"))
    #expect(error.status == status)
    #expect(error.message == "words")
    #expect(error.path == "store")
  }

  @Test func `an integrity error has its exit code`() {
    let error = Self.commandError(IntegrityError("store/catalog.json", "is another"))
    #expect(error.status == .untrustworthy)
    #expect(error.message == "store/catalog.json is another")
  }
}

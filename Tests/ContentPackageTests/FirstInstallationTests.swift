import Foundation
import SafeFiles
import Synchronization
import Testing

@testable import ContentPackage

/// What several installations do at once to a folder that was not there before.
struct FirstInstallationTests {
  @Test func `whoever waits makes the folder again that the one before takes away`() throws {
    let path = "/tmp/iapkg-first-\(UUID().uuidString)"
    let first = try DocumentsFolder.open(DocumentsAccess(path: path))
    let progress = WorkProgress()
    let second = Second()
    let thread = Thread {
      second.end(
        Result {
          let access = DocumentsAccess(path: path, patience: .seconds(60), progress: progress)
          try DocumentsFolder.open(access).close()
        })
    }
    thread.start()
    while progress.state?.activity != .waiting, second.result == nil { sched_yield() }
    first.close()
    while second.result == nil { sched_yield() }
    #expect(throws: Never.self) { try second.result?.get() }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private final class Second: Sendable {
    private let state = Mutex<Result<Void, any Error>?>(nil)
    var result: Result<Void, any Error>? { state.withLock { $0 } }
    func end(_ result: Result<Void, any Error>) { state.withLock { $0 = result } }
  }
}

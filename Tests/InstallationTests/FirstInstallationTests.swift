import ContentPackage
import Foundation
import SafeFiles
import Synchronization
import TestSupport
import Testing

@testable import Installation

/// Concurrent installations into a folder that did not exist.
struct FirstInstallationTests {
  @Test func `a waiting process creates the folder again that the previous one removes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.place("Documents")
    let progress = WorkProgress()
    let second = Second()
    try DocumentsFolder.withLock(DocumentsAccess(path: path), for: .installing) { _ in
      let thread = Thread {
        second.end(
          Result {
            let access = DocumentsAccess(
              path: path, lockTimeout: .seconds(60), context: WorkContext(progress: progress))
            try DocumentsFolder.withLock(access, for: .installing) { _ in }
          })
      }
      thread.start()
      while progress.state?.activity != .waiting, second.result == nil { sched_yield() }
    }
    while second.result == nil { sched_yield() }
    #expect(throws: Never.self) { try second.result?.get() }
    #expect(!folder.has("Documents"))
  }

  private struct WriteFailure: Error {}

  @Test func `a note that cannot be written leaves no folder behind`() throws {
    let folder = try TemporaryFolder()
    let access = DocumentsAccess(path: folder.place("Documents"))
    #expect(throws: WriteFailure.self) {
      try DocumentsFolder.withLock(access, for: .installing) { documents in
        let stores = try documents.workFolder.openOrMakeFolder(DocumentsFolder.Name.stores)
        try documents.write(named: "store".utf8, in: stores) { _ in throw WriteFailure() }
      }
    }
    #expect(!folder.has("Documents"))
  }

  @Test func `a note that cannot be written keeps the previous one`() throws {
    let folder = try TemporaryFolder()
    let access = DocumentsAccess(path: folder.place("Documents"))
    let note = StoreNote(name: "store", migration: { _ in [:] }, make: { _ in [1] })
    let products = InstalledProducts(access)
    try products.note(store: note, makingFolder: true)
    #expect(throws: WriteFailure.self) {
      try DocumentsFolder.withLock(access, for: .installing) { documents in
        let stores = try documents.workFolder.openFolder(DocumentsFolder.Name.stores)
        try documents.write(named: "store".utf8, in: stores) { _ in throw WriteFailure() }
      }
    }
    #expect(try products.storeNote(named: "store", migration: { _ in [:] }) == [1])
    #expect(!folder.has("Documents/.iapkg/stores/.new"))
  }

  private final class Second: Sendable {
    private let state = Mutex<Result<Void, any Error>?>(nil)
    var result: Result<Void, any Error>? { state.withLock { $0 } }
    func end(_ result: Result<Void?, any Error>) { state.withLock { $0 = result.map { _ in } } }
  }
}

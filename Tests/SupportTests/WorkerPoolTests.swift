import Synchronization
import Testing

@testable import Support

/// The results of several threads, in any order.
final class Results: Sendable {
  private let values = Mutex<[UInt8]>([])
  var sorted: [UInt8] { values.withLock { $0.sorted() } }
  func add(_ value: UInt8) { values.withLock { $0.append(value) } }
}

@Suite("The worker pool")
struct WorkerPoolTests {
  @Test(arguments: [1, 2, 4, 64])
  func `runs every body once before it returns`(count: Int) {
    let results = Results()
    WorkerPool.run(count: count) { results.add(UInt8($0)) }
    #expect(results.sorted == Array(0..<UInt8(count)))
  }

  @Test(arguments: [1, 2, 7])
  func `collects the results of all work`(jobs: Int) throws {
    let found = try WorkerPool.collect(count: 100, jobs: jobs) { { $0 % 3 == 0 ? [$0] : [] } }
    #expect(found.sorted() == Array(stride(from: 0, to: 100, by: 3)))
    #expect(try WorkerPool.collect(count: 0, jobs: jobs) { { [$0] } } == [])
  }

  @Test(arguments: [1, 4])
  func `starts no more work after a failure`(jobs: Int) {
    let begun = Mutex(0)
    #expect(throws: CancellationError.self) {
      _ = try WorkerPool.collect(count: 1000, jobs: jobs) { () -> (Int) throws -> [Int] in
        { _ in
          begun.withLock { $0 += 1 }
          throw CancellationError()
        }
      }
    }
    #expect(begun.withLock { $0 } <= jobs)
  }

  @Test(arguments: [1, 2])
  func `performs two pieces of work, and throws the error of the first`(jobs: Int) throws {
    struct First: Error {}
    struct Second: Error {}
    let done = try WorkerPool.both(jobs: jobs) {
      1
    } and: {
      "two"
    }
    #expect(done == (1, "two"))
    let ended = Mutex(0)
    #expect(throws: First.self) {
      try WorkerPool.both(jobs: jobs) {
        throw First()
      } and: {
        ended.withLock { $0 += 1 }
        throw Second()
      }
    }
    #expect(ended.withLock { $0 } == jobs - 1)
    #expect(throws: Second.self) {
      try WorkerPool.both(jobs: jobs) {
        1
      } and: {
        throw Second()
      }
    }
  }

  @Test func `has enough stack for deep calls on every thread`() {
    @Sendable func depth(_ level: Int) -> Int { level == 0 ? 0 : 1 + depth(level - 1) }
    let results = Results()
    WorkerPool.run(count: 2) { _ in results.add(depth(10_000) == 10_000 ? 1 : 0) }
    #expect(results.sorted == [1, 1])
  }
}

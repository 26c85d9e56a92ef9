import Synchronization
import Testing

@testable import Support

@Suite("Ordered work")
struct OrderedWorkTests {
  private struct Failure: Error, Equatable { let number: Int }

  @Test(arguments: [1, 2, 7])
  func `takes results in order, for any number of threads`(jobs: Int) throws {
    var taken: [Int] = []
    try OrderedWork.run(
      count: 100, jobs: jobs, capacity: 10, weight: { $0 % 3 }, makeWork: { { $0 * $0 } },
      receive: { index, square in
        #expect(square == index * index)
        taken.append(index)
      })
    #expect(taken == Array(0..<100))
  }

  @Test func `never exceeds its capacity, except for a single heavier item`() throws {
    let weights = [3, 3, 3, 3, 50, 1, 9, 9, 2, 50, 50, 1]
    let ongoing = Mutex((weight: 0, items: 0))
    try OrderedWork.run(
      count: weights.count, jobs: 4, capacity: 10, weight: { weights[$0] },
      makeWork: {
        { index in
          ongoing.withLock {
            $0.weight += weights[index]
            $0.items += 1
            #expect($0.weight <= 10 || $0.items == 1)
          }
          return index
        }
      },
      receive: { index, _ in
        ongoing.withLock {
          $0.weight -= weights[index]
          $0.items -= 1
        }
      })
    #expect(ongoing.withLock { $0.items } == 0)
  }

  @Test(arguments: [1, 4])
  func `throws the first error in order, and takes no later result`(jobs: Int) {
    var taken: [Int] = []
    #expect(throws: Failure(number: 5)) {
      try OrderedWork.run(
        count: 50, jobs: jobs, capacity: 100, weight: { _ in 1 },
        makeWork: { { number in if number >= 5 { throw Failure(number: number) } } },
        receive: { index, _ in taken.append(index) })
    }
    #expect(taken == Array(0..<5))
  }

  @Test func `ends if a result cannot be taken`() {
    let begun = Mutex(0)
    #expect(throws: Failure(number: 3)) {
      try OrderedWork.run(
        count: 1000, jobs: 2, capacity: 4, weight: { _ in 1 },
        makeWork: { { _ in begun.withLock { $0 += 1 } } },
        receive: { index, _ in if index == 3 { throw Failure(number: 3) } })
    }
    #expect(begun.withLock { $0 } < 10)
  }
}

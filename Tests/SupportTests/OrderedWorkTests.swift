import Synchronization
import Testing

@testable import Support

@Suite("Ordered work")
struct OrderedWorkTests {
  private struct Mishap: Error, Equatable { let number: Int }

  @Test(arguments: [1, 2, 7])
  func `is consumed in order on any thread`(jobs: Int) throws {
    var taken: [Int] = []
    try OrderedWork.run(
      count: 100, jobs: jobs, capacity: 10, weight: { $0 % 3 }, makeWork: { { $0 * $0 } },
      take: { index, square in
        #expect(square == index * index)
        taken.append(index)
      })
    #expect(taken == Array(0..<100))
  }

  @Test func `never has more under way than its capacity, but for one thing that is heavier alone`() throws {
    let weights = [3, 3, 3, 3, 50, 1, 9, 9, 2, 50, 50, 1]
    let under = Mutex((weight: 0, things: 0))
    try OrderedWork.run(
      count: weights.count, jobs: 4, capacity: 10, weight: { weights[$0] },
      makeWork: {
        { index in
          under.withLock {
            $0.weight += weights[index]
            $0.things += 1
            #expect($0.weight <= 10 || $0.things == 1)
          }
          return index
        }
      },
      take: { index, _ in
        under.withLock {
          $0.weight -= weights[index]
          $0.things -= 1
        }
      })
    #expect(under.withLock { $0.things } == 0)
  }

  @Test(arguments: [1, 4])
  func `throws the first error in order, and takes nothing behind it`(jobs: Int) {
    var taken: [Int] = []
    #expect(throws: Mishap(number: 5)) {
      try OrderedWork.run(
        count: 50, jobs: jobs, capacity: 100, weight: { _ in 1 },
        makeWork: { { number in if number >= 5 { throw Mishap(number: number) } } },
        take: { index, _ in taken.append(index) })
    }
    #expect(taken == Array(0..<5))
  }

  @Test func `ends when what was done cannot be taken`() {
    let begun = Mutex(0)
    #expect(throws: Mishap(number: 3)) {
      try OrderedWork.run(
        count: 1000, jobs: 2, capacity: 4, weight: { _ in 1 },
        makeWork: { { _ in begun.withLock { $0 += 1 } } },
        take: { index, _ in if index == 3 { throw Mishap(number: 3) } })
    }
    #expect(begun.withLock { $0 } < 10)
  }
}

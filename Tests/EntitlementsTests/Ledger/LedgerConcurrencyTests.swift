import Testing

@testable import Entitlements

@Suite("Many clients") struct LedgerConcurrencyTests {
  @Test(arguments: LedgerBackend.available)
  func `that present 1,000 transactions eight times through two servers get each once`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledgers = [try await database.open(), try await database.open()]
    let next = Shared(0)
    let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<64 {
        group.addTask {
          var accepted = 0
          while true {
            let number = next.update { number in
              number += 1
              return number - 1
            }
            guard number < 8_000 else { return accepted }
            // The same transaction arrives eight times in a row, and some have no token.
            let identifier = number / 8
            let purchase = Forged.coins("\(identifier)", token: identifier % 10 == 0 ? nil : Forged.token)
            let result = try await ledgers[worker % 2].present([purchase])
            if result.results == [.accepted] { accepted += 1 }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(accepted == 1_000)
    let account = try #require(try await ledgers[0].present([Forged.coins("1")]).account)
    #expect(try await ledgers[0].coins(of: account) == 90_000)
    let report = try await ledgers[1].audit()
    #expect(report.differences == [])
    #expect(report.accounts == 101)
    #expect(report.purchases == 1_000)
  }

  @Test(arguments: LedgerBackend.available)
  func `that present the same purchases in different orders do not stop one another`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledgers = [try await database.open(.tests(.transfer)), try await database.open(.tests(.transfer))]
    let purchases = (0..<10).flatMap { number in
      [
        Forged.coins("c\(number)", token: number % 2 == 0 ? Forged.token : Forged.otherToken),
        Forged.book("b\(number)", token: nil),
      ]
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<32 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(worker))
          for _ in 0..<5 {
            _ = try await ledgers[worker % 2].present(Array(purchases.shuffled(using: &random).prefix(8)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await ledgers[0].audit().differences == [])
  }
}

@Suite(
  "A PostgreSQL that is killed", .enabled(if: PostgresCluster.programs != nil),
  .timeLimit(.minutes(5)))
struct PostgresKillTests {
  @Test func `has kept what was answered, and nothing else but what was asked`() async throws {
    let cluster = try PostgresCluster()
    let ledger = try await Ledger.open(.postgres(try cluster.makeDatabase()), .tests)
    let account = try #require(try await ledger.present([Forged.coins("first")]).account)
    let answered = Shared<Set<String>>([])
    let asked = Shared<Set<String>>([])
    for round in 0..<5 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<16 {
          group.addTask {
            for number in 0..<40 {
              let identifier = "\(round)-\(worker)-\(number)"
              _ = asked.update { $0.insert(identifier).inserted }
              guard (try? await ledger.present([Forged.coins(identifier)])) != nil else { continue }
              let count = answered.update { answered in
                answered.insert(identifier)
                return answered.count
              }
              if count % 40 == 20 + round { try? cluster.kill() }
            }
          }
        }
        try await group.waitForAll()
      }
      try? cluster.kill()
      try cluster.restart()
    }
    let report = try await ledger.audit()
    #expect(report.differences == [])
    let coins = try #require(try await ledger.coins(of: account))
    let known = Int(coins / 100 - 1)
    #expect(known >= answered.value.count && known <= asked.value.count)
    for identifier in answered.value {
      #expect(try await ledger.present([Forged.coins(identifier)]).results == [.duplicate])
    }
    #expect(try await ledger.coins(of: account) == coins)
  }
}

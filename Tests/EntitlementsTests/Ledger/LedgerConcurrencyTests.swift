import Testing

@testable import Entitlements

@Suite("Many clients") struct LedgerConcurrencyTests {
  @Test(arguments: LedgerBackend.available)
  func `1,000 transactions that are presented eight times through two servers count once each`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    var settings = LedgerSettings.tests
    settings.lockTimeout = .seconds(60)
    let ledgers = [try await database.open(settings), try await database.open(settings)]
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
  func `clients that present purchases in different orders do not block each other`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    var settings = LedgerSettings.tests(.transfer)
    settings.lockTimeout = .seconds(60)
    let ledgers = [try await database.open(settings), try await database.open(settings)]
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
  "A killed PostgreSQL", .enabled(if: PostgresCluster.programs != nil),
  .timeLimit(.minutes(5)))
struct PostgresKillTests {
  @Test func `a killed PostgreSQL has all acknowledged purchases, and none that was not requested`()
    async throws
  {
    let cluster = try PostgresCluster()
    let ledger = try await Ledger.open(.postgres(try cluster.makeDatabase()), .tests)
    let account = try #require(try await ledger.present([Forged.coins("first")]).account)
    let acknowledged = Shared<Set<String>>([])
    let requested = Shared<Set<String>>([])
    for round in 0..<5 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<16 {
          group.addTask {
            for number in 0..<40 {
              let identifier = "\(round)-\(worker)-\(number)"
              _ = requested.update { $0.insert(identifier).inserted }
              guard (try? await ledger.present([Forged.coins(identifier)])) != nil else { continue }
              let count = acknowledged.update { acknowledged in
                acknowledged.insert(identifier)
                return acknowledged.count
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
    #expect(known >= acknowledged.value.count && known <= requested.value.count)
    for identifier in acknowledged.value {
      #expect(try await ledger.present([Forged.coins(identifier)]).results == [.duplicate])
    }
    #expect(try await ledger.coins(of: account) == coins)
  }
}

import Foundation
import TestSupport
import Testing

@testable import Entitlements

@Suite("The files of an open ledger in SQLite") struct LedgerFilesTests {
  private let database: TestDatabase
  private let path: String

  init() throws {
    database = try TestDatabase(.sqlite)
    guard case .file(let path) = database.location else { throw CocoaError(.fileNoSuchFile) }
    self.path = path
  }

  private func isUnavailable(_ error: any Error) -> Bool {
    if case LedgerError.unavailable = error { true } else { false }
  }

  private func emptyFile(_ path: String) throws {
    try #require(
      FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
  }

  private func expectRefusals(_ ledger: Ledger, _ account: String) async {
    await #expect(performing: { try await ledger.present([Forged.coins("2")]) }, throws: isUnavailable)
    await #expect(performing: { try await ledger.probe() }, throws: isUnavailable)
    await #expect(performing: { try await ledger.coins(of: account) }, throws: isUnavailable)
  }

  @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func `a deleted log is saved to the main file, and purchases are refused until the next start`(
    suffixes: [String]
  ) async throws {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    for suffix in suffixes { try FileManager.default.removeItem(atPath: path + suffix) }
    await expectRefusals(ledger, account)
    // The main file has everything, in case the process is killed.
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    #expect(try await Ledger.open(.file(path + ".copy")).coins(of: account) == 100)
    ledger.close()
    let next = try await database.open()
    #expect(try await next.coins(of: account) == 100)
    #expect(try await next.audit().differences == [])
  }

  @Test func `purchases are refused while another file has the name of the log`() async throws {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    try FileManager.default.moveItem(atPath: path + "-wal", toPath: path + ".away")
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    await expectRefusals(ledger, account)
    try FileManager.default.removeItem(atPath: path + "-wal")
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path + "-wal")
    #expect(try await ledger.present([Forged.coins("2")]).results == [.accepted])
  }

  @Test(arguments: [0, 2])
  func `purchases are refused after another program has overwritten or truncated the main file`(copies: Int)
    async throws
  {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    for _ in 0..<copies { try file.write(contentsOf: content) }
    try file.close()
    await expectRefusals(ledger, account)
    await expectRefusals(ledger, account)
  }

  @Test(arguments: [true, false])
  func `purchases are refused after another program has overwritten or truncated the log`(isTruncated: Bool)
    async throws
  {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    let log = path + "-wal"
    let old = try Data(contentsOf: URL(fileURLWithPath: log))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    #expect(try await ledger.present([Forged.coins("2")]).results == [.accepted])
    try file.truncate(atOffset: 0)
    if !isTruncated { try file.write(contentsOf: old) }
    try file.close()
    await expectRefusals(ledger, account)
    await expectRefusals(ledger, account)
    let main = try Data(contentsOf: URL(fileURLWithPath: path))
    ledger.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == main)
  }

  @Test func `checkpoints of SQLite are not foreign changes`() async throws {
    let ledger = try await database.open()
    let other = try await database.open()
    var account: String?
    // Each purchase writes some pages; SQLite writes the log to the file after 1,000 pages.
    for number in 0..<400 {
      account = try await (number.isMultiple(of: 2) ? ledger : other).present([Forged.coins("\(number)")])
        .account
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    #expect(size > 100_000)
    #expect(try await ledger.coins(of: try #require(account)) == 40_000)
  }

  @Test func `a main file with two names is refused`() async throws {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    ledger.close()
    let other = path + ".other"
    try FileManager.default.linkItem(atPath: path, toPath: other)
    for name in [path, other] {
      let error = await #expect(throws: LedgerError.self) { try await Ledger.open(.file(name), .tests) }
      guard case .cannotOpen(_, let reason) = error, reason.contains("2 names (hard links)") else {
        Issue.record("found \(String(describing: error))")
        continue
      }
    }
    try FileManager.default.removeItem(atPath: other)
    #expect(try await database.open().coins(of: account) == 100)
  }

  @Test func `only the main file remains after the last program has closed the ledger`() async throws {
    let ledger = try await database.open()
    let other = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    ledger.close()
    #expect(try await other.present([Forged.coins("2")]).results == [.accepted])
    other.close()
    for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
    #expect(try await database.open().coins(of: account) == 200)
  }

  /// Returns whether this process has locks on bytes of a file, which another process then cannot lock.
  private func isLocked(_ file: String, at offset: Int, count: Int) throws -> Bool {
    let script = """
      import fcntl, sys
      file = open(sys.argv[1], "r+b")
      try: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, int(sys.argv[3]), int(sys.argv[2]))
      except BlockingIOError: sys.exit(3)
      """
    let outcome = try Launch(["python3", "-c", script, file, "\(offset)", "\(count)"]).run()
    try #require([0, 3].contains(outcome.code), "\(outcome)")
    return outcome.code == 3
  }

  /// Returns whether the ledgers of this process have the locks that SQLite keeps on the main file and on the `-shm`
  /// (SHARED_FIRST and UNIX_SHM_DMS of os_unix.c).
  private func hasLocks() throws -> Bool {
    try isLocked(path, at: 0x4000_0002, count: 510) && isLocked(path + "-shm", at: 128, count: 1)
  }

  @Test func `a ledger keeps its locks while another one on the same file opens and closes`() async throws {
    let ledger = try await database.open()
    #expect(try hasLocks())
    for number in 1...2 {
      let other = try await database.open()
      #expect(try hasLocks())
      _ = try await other.present([Forged.coins("\(number)")])
      other.close()
    }
    #expect(try hasLocks())
    ledger.close()
    #expect(try !isLocked(path, at: 0x4000_0002, count: 510))
  }

  @Test func `a ledger that lacks one of its files does not open as a new one`() async throws {
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    func copy(_ suffixes: String...) throws -> DatabaseLocation {
      let copy = "\(path).\(UUID().uuidString)"
      for suffix in suffixes {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      return .file(copy)
    }
    #expect(try await Ledger.open(copy("", "-wal"), .tests).coins(of: account) == 100)
    var impatient = LedgerSettings.tests
    impatient.lockTimeout = .milliseconds(50)
    let emptied = try copy("-wal")
    guard case .file(let name) = emptied else { return }
    for location in [try copy(""), try copy("-wal"), emptied] {
      if location == emptied { try emptyFile(name) }
      for open in [
        { [impatient] in try await Ledger.open(location, impatient) },
        { try await Ledger.openMigrated(location) },
      ] as [@Sendable () async throws -> Any] {
        let error = await #expect(throws: LedgerError.self) { _ = try await open() }
        switch error {
        case .cannotOpen, .olderSchema: continue
        default: Issue.record("found \(String(describing: error))")
        }
      }
    }
    #expect(FileManager.default.fileExists(atPath: name + "-wal"))
  }

  @Test func `an empty file is a valid new ledger, and stays empty without a migration`() async throws {
    try emptyFile(path)
    let error = await #expect(throws: LedgerError.self) { try await Ledger.openMigrated(database.location) }
    guard case .olderSchema(_, found: 0, known: Schema.version) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    #expect(try await database.open().audit().isConsistent)
  }
}

import Foundation
import Synchronization
import TestSupport

@testable import Entitlements

/// A temporary Debian PostgreSQL cluster, accessible over a Unix socket. It ends with this process.
final class PostgresCluster: Sendable {
  /// The program folder of the newest version on Debian; nil if PostgreSQL is not installed.
  static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap(Int.init).max()
    return newest.map { "\(root)/\($0)/bin" }
  }()

  /// The cluster that most tests share.
  static let shared = Result { try PostgresCluster() }

  private let folder: String
  private let server: AttendedProgram
  private let starts = Atomic(0)
  private let databases = Atomic(0)

  /// Starts a server that ends when its input is closed, even if this process is killed.
  init() throws {
    guard let programs = Self.programs else { throw Failure(reason: "PostgreSQL is not installed") }
    folder = "/tmp/iapkg-postgres-\(UUID().uuidString.prefix(8))"
    server = try AttendedProgram(Self.asServerUser + ["sh", "-c", Self.script, "sh", programs, folder])
    try waitForStart()
  }

  struct Failure: Error { let reason: String }

  /// PostgreSQL refuses to run as root.
  private static var asServerUser: [String] {
    getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []
  }

  /// Starts the server, and restarts it for each line of the input.
  private static let script = """
    set -e
    mkdir -m 700 "$2"
    "$1/initdb" -D "$2/data" -A trust -U postgres -E UTF8 --no-sync >/dev/null
    start() {
      until "$1/pg_ctl" -D "$2/data" -w -l "$2/log" -o "-k $2 -c listen_addresses= -c fsync=off -c max_connections=500" start >/dev/null 2>&1
      do "$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1 || true; done
      echo started
    }
    start "$1" "$2"
    while read -r line; do start "$1" "$2"; done
    "$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$2"
    """

  private func waitForStart() throws {
    let number = starts.add(1, ordering: .relaxed).oldValue
    guard try server.line(number) == "started" else { throw Failure(reason: "PostgreSQL did not start") }
  }

  func address(_ database: String) -> String {
    "postgres://postgres@/\(database)?host=\(folder)&connect_timeout=600"
  }

  /// Creates an empty database and returns its address.
  func makeDatabase() throws -> String {
    let name = "test\(databases.add(1, ordering: .relaxed).newValue)"
    try run("CREATE DATABASE \(name)")
    return address(name)
  }

  /// Runs a statement outside of any transaction.
  func run(_ statement: String, in database: String = "postgres") throws {
    _ = try PostgresSession(address(database)).rows(statement, [])
  }

  /// Kills the server's main process, as in a power failure.
  func kill() throws {
    let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw Failure(reason: "PostgreSQL does not run")
    }
    Foundation.kill(process, SIGKILL)
  }

  /// Restarts the server after a kill.
  func restart() throws {
    try server.send("again")
    try waitForStart()
  }
}

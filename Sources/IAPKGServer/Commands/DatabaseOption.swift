import ArgumentParser
import Entitlements

/// Where the ledger is.
struct DatabaseOption: ParsableArguments {
  static let usual = "iapkg-server.sqlite"

  @Option(
    help: ArgumentHelp(
      "The database: a file of SQLite, or postgres://… for PostgreSQL, best in the environment if it has a password.",
      valueName: "file-or-address"))
  var database = Self.usual

  var location: DatabaseLocation { DatabaseLocation(database) }
}

/// How a command writes what it found.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

import ArgumentParser
import Entitlements

/// Where the ledger is: the same option, variable and file as those of `run`.
struct DatabaseOption: ParsableArguments {
  @Option(help: ArgumentHelp("A file of options, YAML or JSON.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The database: a file of SQLite (iapkg-server.sqlite), or postgres://… for PostgreSQL; with a password better in IAPKG_DATABASE.",
      valueName: "file-or-address"))
  var database: String?

  /// - Throws: `CommandFailure` with `.configuration` if the file of options cannot be read.
  var location: DatabaseLocation {
    get async throws {
      let reader = try await OptionReader(
        config: config, given: database.map { ["database": $0] } ?? [:])
      try reader.finish()
      return DatabaseLocation(reader.database)
    }
  }
}

/// How a command writes what it found.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

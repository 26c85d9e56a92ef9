import ArgumentParser
import Entitlements

/// The location of the ledger, from the same option, variable and file as in `run`.
struct DatabaseOption: ParsableArguments {
  @Option(help: ArgumentHelp("The configuration file, YAML or JSON.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The database: an SQLite file (iapkg-server.sqlite) or postgres://…; use IAPKG_DATABASE for an address with a password.",
      valueName: "file-or-address"))
  var database: String?

  /// - Throws: `CommandFailure` with `.configuration` if the file of options cannot be read.
  var location: DatabaseLocation {
    get throws(CommandFailure) {
      var reader = try OptionReader(
        config: config, given: database.map { ["database": $0] } ?? [:])
      let location = DatabaseLocation(reader.database())
      try reader.finish()
      return location
    }
  }
}

/// The format of a command's result.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

import ArgumentParser
import Delivery
import Entitlements
import Support

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring the database to the schema of this version of the program.",
    discussion: "Makes the file if there is none. 'iapkg-server run' does the same when it starts.")

  @OptionGroup var options: DatabaseOption

  @Option(help: "How to write the result.")
  var format = DocumentFormat.text

  func run() async throws {
    let location = try await options.location
    let migration = try await Ledger.migrate(location)
    try CommandOutput.write(
      format == .json ? Self.json(of: migration) : Self.text(of: migration, location))
  }

  static func text(of migration: Ledger.Migration, _ location: DatabaseLocation) -> [UInt8] {
    let database = String(displaying: location.description.utf8)
    let text =
      migration.found == migration.version
      ? "\(database) has schema \(migration.version) already"
      : "\(database) was brought from schema \(migration.found) to schema \(migration.version)"
    return Array(text.utf8)
  }

  static func json(of migration: Ledger.Migration) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("command", configuration.commandName)
      writer.member("found", Int64(migration.found))
      writer.member("version", Int64(migration.version))
    }
    return writer.bytes
  }
}

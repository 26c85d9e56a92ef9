import ArgumentParser
import Entitlements
import StrictJSON
import Support

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate the database to the schema of this version.",
    discussion: """
      Creates a missing SQLite file. 'iapkg-server run' also migrates when it starts. With --to, copies the \
      ledger to an empty database, SQLite or PostgreSQL, and audits the copy; stop the servers first. An interrupted \
      copy resumes with the same command. Servers refuse an unfinished copy.
      """)

  @OptionGroup var optionFile: ConfigurationOption
  @OptionGroup var ledger: DatabaseOption

  @Option(
    help: ArgumentHelp(
      "An empty database to copy the ledger to: an SQLite file or postgres://….", valueName: "database"))
  var to: String?

  @Option(help: "The format of the result.")
  var format = DocumentFormat.text

  func run() async throws {
    let (document, isConsistent) = try await format.result(of: Self.configuration.commandName) {
      try await migrated()
    }
    try CommandOutput.write(document)
    guard isConsistent else {
      throw CommandFailure(
        .invalid, "the copy is not consistent; run 'iapkg-server audit' on the ledger")
    }
  }

  /// Migrates the ledger, and copies it with `--to`.
  ///
  /// - Returns: The result in the requested format, and whether the audit of a copy found no differences.
  private func migrated() async throws -> (document: [UInt8], isConsistent: Bool) {
    let location = try OptionReader.database(optionFile, ledger)
    let target = try to.map { try OptionReader.location("to", $0, secret: "PGPASSWORD") }
    guard target != location else {
      throw CommandFailure(.usage, "--to is the database itself, expected another one")
    }
    // Copying a missing ledger is an error: its name is probably misspelled.
    let migration = try await Ledger.migrate(location, makesLedger: target == nil)
    if let target { return try await copied(location, to: target) }
    return (format == .json ? Self.json(of: migration) : Self.text(of: migration, location), true)
  }

  private func copied(
    _ location: DatabaseLocation, to destination: DatabaseLocation
  ) async throws -> (document: [UInt8], isConsistent: Bool) {
    let report = try await Ledger.copy(location, to: destination)
    let database = String(displaying: destination.description.utf8)
    let text =
      Array("\(database) has a copy of the ledger: ".utf8) + AuditCommand.text(of: report, destination)
    return (format == .json ? AuditCommand.json(of: report, Self.self) : text, report.isConsistent)
  }

  static func text(of migration: Ledger.Migration, _ location: DatabaseLocation) -> [UInt8] {
    let database = String(displaying: location.description.utf8)
    let text =
      migration.found == migration.version
      ? "\(database) already has schema \(migration.version)"
      : "\(database) was migrated from schema \(migration.found) to schema \(migration.version)"
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

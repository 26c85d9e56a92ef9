import ArgumentParser
import Entitlements
import StrictJSON
import Support

/// The format of a command's result.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json

  /// Returns the result of the work of a command. If the work fails in JSON format, writes a document with the error.
  ///
  /// - Throws: The error of the work.
  func result<Output>(
    of command: String?, _ work: () async throws -> Output
  ) async throws -> Output {
    do { return try await work() } catch {
      if self == .json { try? CommandOutput.write(Self.json(of: CommandFailure(error), command)) }
      throw error
    }
  }

  private static func json(of failure: CommandFailure, _ command: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("command", command)
      writer.key("error")
      writer.object { writer in
        writer.member("code", Int64(failure.status.rawValue))
        writer.member("message", failure.description)
        writer.key("path")
        writer.null()
      }
    }
    return writer.bytes
  }
}

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Recompute accounts, balances and entitlements from the ledger, and report differences.",
    discussion: "Changes nothing. Exits with 1 if anything differs.")

  @OptionGroup var optionFile: ConfigurationOption
  @OptionGroup var ledger: DatabaseOption

  @Option(help: "The format of the result.")
  var format = DocumentFormat.text

  func run() async throws {
    let (location, report) = try await format.result(of: Self.configuration.commandName) {
      let location = try OptionReader.database(optionFile, ledger)
      return (location, try await Ledger.audit(location, LedgerSettings(connections: 2)))
    }
    try CommandOutput.write(format == .json ? Self.json(of: report) : Self.text(of: report, location))
    guard report.isConsistent else {
      let count = report.differences.count
      let found = count == 1 ? "1 difference was found" : "\(count) differences were found"
      throw CommandFailure(.invalid, found)
    }
  }

  static func text(of report: AuditReport, _ location: DatabaseLocation) -> [UInt8] {
    let summary =
      "entries: \(report.entries), accounts: \(report.accounts), purchases: \(report.purchases); "
      + (report.isConsistent ? "all balances and entitlements follow from the ledger" : "these differ:")
    let differences = report.differences.map { difference in
      difference.isUnreadableFile
        ? location.damageMessage : String(displaying: difference.description.utf8)
    }
    return Array(([summary] + differences).joined(separator: "\n").utf8)
  }

  static func json(
    of report: AuditReport, _ command: any ParsableCommand.Type = AuditCommand.self
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("command", command.configuration.commandName)
      writer.member("entries", report.entries)
      writer.member("accounts", report.accounts)
      writer.member("purchases", report.purchases)
      writer.key("differences")
      writer.array { writer in
        for difference in report.differences {
          writer.object { writer in
            writer.member("subject", difference.subject.rawValue)
            writer.key("key")
            writer.array { writer in for word in difference.key { writer.string(word) } }
            writer.member("expected", difference.expected)
            writer.member("found", difference.found)
          }
        }
      }
    }
    return writer.bytes
  }
}

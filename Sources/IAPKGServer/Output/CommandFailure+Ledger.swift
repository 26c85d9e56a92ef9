import Entitlements
import Support

extension CommandFailure {
  /// Converts an error of the ledger to messages and an exit code.
  init(_ error: LedgerError) {
    let status: ServerExitStatus =
      switch error {
      case .cannotOpen, .newerSchema, .olderSchema, .unfinishedCopy, .damaged: .configuration
      case .cannotWrite: .inputOutput
      case .unavailable: .unavailable
      case .invalid: .usage
      }
    self.init(status, error.message)
  }
}

extension LedgerError {
  /// The message about the error, safe to print, with the command that resolves the error if there is one.
  var message: String {
    let solution =
      switch self {
      case .olderSchema: "; run 'iapkg-server migrate'"
      case .unfinishedCopy: "; run 'iapkg-server migrate --to' to the same database again"
      case .cannotOpen, .cannotWrite, .newerSchema, .damaged, .unavailable, .invalid: ""
      }
    return String(displaying: "\(self)".utf8) + solution
  }
}

extension DatabaseLocation {
  /// The message about a damaged SQLite file, safe to print.
  var damageMessage: String { "\(String(displaying: description.utf8)) is damaged; restore it from a backup" }
}

import Entitlements
import Support

extension CommandFailure {
  /// What an error of the ledger means for whoever typed the command.
  init(_ error: LedgerError) {
    let status: ServerExitStatus =
      switch error {
      case .cannotOpen, .newerSchema, .olderSchema: .configuration
      case .unavailable: .unavailable
      case .invalid: .usage
      }
    self.init(status, String(displaying: error.description.utf8))
  }
}

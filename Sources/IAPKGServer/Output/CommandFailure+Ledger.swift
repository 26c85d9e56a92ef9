import Entitlements
import Support

extension CommandFailure {
  /// Converts an error of the ledger to messages and an exit code.
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

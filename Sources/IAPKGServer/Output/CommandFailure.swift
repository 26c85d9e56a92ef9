import Delivery
import Entitlements
import SafeFiles
import Support

/// The failure of a command: messages for people, and the exit code for programs.
package struct CommandFailure: Error, CustomStringConvertible {
  package let status: ServerExitStatus
  /// All problems, each a lower-case sentence without a full stop, safe to print and without secrets of addresses.
  package let messages: [String]
  package var description: String { messages.joined(separator: "; ") }

  package init(_ status: ServerExitStatus, _ messages: [String]) {
    self.status = status
    self.messages = messages.map(\.hidingSecretsOfAddresses)
  }

  package init(_ status: ServerExitStatus, _ message: String) { self.init(status, [message]) }

  /// Converts an error of the libraries to messages and an exit code.
  package init(_ error: any Error) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as FileError:
      let isInput = error.operation == .open || error.operation == .inspect
      self.init(isInput ? .noInput : .inputOutput, "\(error)")
    case let error as SourceError:
      if case .file(let error) = error { self.init(error) } else { self.init(.inputOutput, "\(error)") }
    case let error as LedgerError: self.init(error)
    case let error as StoreError: self.init(.unavailable, error.message)
    case let error as IntegrityError: self.init(.invalid, error.description)
    case let error as VerificationError: self.init(.configuration, error.message)
    case let error as Problem: self.init(.unavailable, error.detail ?? error.kind.title.lowercased())
    case is CancellationError: self.init(.unavailable, "it was interrupted")
    default: self.init(.internalError, "a defect of the program, an error of the kind \(type(of: error))")
    }
  }
}

/// The exit codes of the program, with the meanings of <sysexits.h>.
package enum ServerExitStatus: Int32, Sendable {
  case success = 0
  /// The verified data is invalid, such as a signature or a balance.
  case invalid = 1
  case usage = 64
  case noInput = 66
  /// The database, the store or the listening address is unavailable.
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  /// The configuration is invalid.
  case configuration = 78
}

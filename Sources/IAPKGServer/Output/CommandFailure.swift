import Delivery
import Entitlements
import SafeFiles
import Support

/// The failure of a command: messages for people, and the exit code for programs.
package struct CommandFailure: Error, CustomStringConvertible {
  /// The exit code.
  package let status: ServerExitStatus
  /// All problems, each a lower-case sentence without a full stop, safe to print and without the secrets in addresses.
  package let messages: [String]
  /// The messages, separated by semicolons.
  package var description: String { messages.joined(separator: "; ") }

  /// Creates a failure with several messages, which must be safe to print. Hides the secrets in their addresses.
  package init(_ status: ServerExitStatus, _ messages: [String]) {
    self.status = status
    self.messages = messages.map(\.hidingSecretsOfAddresses)
  }

  /// Creates a failure with one message, which must be safe to print. Hides the secrets in its addresses.
  package init(_ status: ServerExitStatus, _ message: String) { self.init(status, [message]) }

  /// Converts an error of the libraries to messages and an exit code. An unknown error is a defect of the program.
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
    case is CancellationError: self.init(.unavailable, "the operation was interrupted")
    default: self.init(.internalError, "a defect of the program, an error of the kind \(type(of: error))")
    }
  }
}

/// The exit codes of the program. Codes 64 to 78 are from <sysexits.h>.
package enum ServerExitStatus: Int32, Sendable {
  /// The command succeeded.
  case success = 0
  /// The verified data is invalid, such as a signature or a balance.
  case invalid = 1
  /// The command line is invalid.
  case usage = 64
  /// A file does not exist or cannot be opened.
  case noInput = 66
  /// The database, the store, the listening address or another resource is unavailable.
  case unavailable = 69
  /// The program has a defect.
  case internalError = 70
  /// An output file already exists.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// The configuration is invalid.
  case configuration = 78
}

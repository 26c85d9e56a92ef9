/// The exit code of the program. Codes 64 to 78 are from <sysexits.h>.
enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  /// The input has an error.
  case invalid = 1
  /// An installed product has a critical update.
  case critical = 2
  case usage = 64
  /// The input is not a package, or is too damaged to be read.
  case notAPackage = 65
  /// An input does not exist or cannot be opened.
  case noInput = 66
  /// A store cannot be reached, sends invalid responses, or lacks an object of its catalog.
  case unavailable = 69
  /// A defect in iapkg.
  case internalError = 70
  /// The output exists, or cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// Another process holds a lock or changed the store, or App Store Connect is still processing a version.
  case busy = 75
  /// The data of a store has a wrong signature or digest, is older than expected, or has expired.
  case untrustworthy = 76
  /// A store denies access.
  case denied = 77
  /// A settings file is invalid.
  case configuration = 78
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The description for the manual.
  var meaning: String {
    switch self {
    case .success: "The command succeeded."
    case .invalid:
      "The input has an error: it breaks a rule, its version is not higher, or a product is "
        + "not as it was installed."
    case .critical: "A newer release is critical: iapkg outdated --exit-code."
    case .usage: "The command line is invalid."
    case .notAPackage: "An input is not a package, or is too damaged to be read."
    case .noInput: "An input does not exist or cannot be opened."
    case .unavailable:
      "A store cannot be reached, sends invalid responses, or lacks an object of its catalog. A retry may succeed."
    case .internalError: "iapkg has a defect."
    case .cannotCreate: "The output exists already, or cannot be created."
    case .inputOutput:
      "Reading or writing failed. The command left nothing behind; if only "
        + "writing to standard output failed, its work is done."
    case .busy: "Another iapkg is using the Documents folder or changing the store."
    case .untrustworthy: "The bytes from a store do not match their signature or digest."
    case .denied: "A store denies access."
    case .configuration: "A settings file, .iapkg.yml or .iapkgignore, is invalid."
    case .hungUp: "The command ended because the terminal was closed (SIGHUP)."
    case .interrupted: "The command was interrupted by Ctrl-C (SIGINT)."
    case .terminated: "The command was terminated (SIGTERM)."
    }
  }

  /// Creates the exit code of an interrupted command from its signal; `interrupted` if no signal is known.
  init(endedBySignal signal: Int32?) {
    self = signal.flatMap { ExitStatus(rawValue: Self.signalBase + $0) } ?? .interrupted
  }

  /// Returns the highest exit code of `errors`; `success` if there are none.
  static func highest(of errors: [CommandError]) -> ExitStatus {
    errors.map(\.status).max { $0.rawValue < $1.rawValue } ?? .success
  }

  /// Whether the command was interrupted.
  var isInterruption: Bool { [.hungUp, .interrupted, .terminated].contains(self) }

  /// The offset that shells add to the number of the signal that ended a program.
  private static let signalBase: Int32 = 128
}

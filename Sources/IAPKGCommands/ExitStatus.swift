/// What the program's exit code says, from <sysexits.h> where that has a word for it.
enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  /// The input was understood and rejected.
  case rejected = 1
  case usage = 64
  /// Not a package, or damaged beyond reading.
  case notAPackage = 65
  /// An input does not exist or cannot be opened.
  case noInput = 66
  /// A defect in iapkg.
  case internalError = 70
  /// The output exists, or cannot be created.
  case cannotCreate = 73
  /// A read or write failed.
  case inputOutput = 74
  /// Another iapkg holds the lock.
  case busy = 75
  case interrupted = 130
  case terminated = 143

  /// What the manual says of it.
  var meaning: String {
    switch self {
    case .success: "Done; nothing is wrong."
    case .rejected: "The input was understood and rejected."
    case .usage: "Wrong usage."
    case .notAPackage: "An input is not a package, or damaged beyond reading."
    case .noInput: "An input does not exist or cannot be opened."
    case .internalError: "An internal error: a defect in iapkg."
    case .cannotCreate: "The output exists, or cannot be created."
    case .inputOutput: "A read or write failed; nothing was left behind."
    case .busy: "Another iapkg holds the lock on the Documents folder."
    case .interrupted: "Interrupted (SIGINT)."
    case .terminated: "Terminated (SIGTERM)."
    }
  }
}

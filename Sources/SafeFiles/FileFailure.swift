public import SystemPackage

/// A system call on a file that did not succeed: what was tried, on what, and what the system answered.
public struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was tried, in the words a message uses: "cannot open …".
  public enum Operation: String, Sendable {
    case open, read, write, create, remove, rename, list, inspect, synchronize, lock
  }

  /// What was tried.
  public let operation: Operation
  /// The path as it should be shown to a person: what a terminal must not see is escaped.
  public let path: String
  /// The system's answer; import `SystemPackage` to compare it.
  public let errno: Errno
  /// What was found, where that says more than the system's own text.
  public let detail: String?

  package init(_ operation: Operation, _ path: String, _ errno: Errno, detail: String? = nil) {
    self.operation = operation
    self.path = String(displaying: path.utf8)
    self.errno = errno
    self.detail = detail
  }

  /// Whether the file system does not know the call, or the way in which it was made.
  package var isUnsupported: Bool {
    errno == .invalidArgument || errno == .noFunction || errno == .notSupported
  }

  /// "cannot open Book.pkg: No such file or directory", safe to print.
  public var description: String {
    "cannot \(operation.rawValue) \(path.isEmpty ? "''" : path): \(detail ?? errno.description)"
  }
}

/// Runs `body` and says of an error on what, and in which operation, it happened.
func attempt<Value: ~Copyable>(
  _ operation: FileFailure.Operation, _ path: @autoclosure () -> String,
  _ body: () throws(Errno) -> Value
) throws(FileFailure) -> Value {
  do throws(Errno) { return try body() } catch { throw FileFailure(operation, path(), error) }
}

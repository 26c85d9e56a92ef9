import Support
public import SystemPackage

/// A failed system call on a file: the operation, the path and the system's error code.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operation, worded for a message: "cannot open …".
  public enum Operation: String, Sendable {
    case open, read, write, create, remove, rename, list, inspect, synchronize, lock
  }

  /// The operation.
  public let operation: Operation
  /// The path for messages, escaped for terminals.
  public let path: String
  /// The system's error code. Import `SystemPackage` to compare it.
  public let errno: Errno
  /// A detail that replaces the system's own text in the description.
  public let detail: String?

  package init(_ operation: Operation, _ path: String, _ errno: Errno, detail: String? = nil) {
    self.operation = operation
    self.path = String(displaying: path.utf8)
    self.errno = errno
    self.detail = detail
  }

  /// Whether the file system does not support the call or one of its options.
  package var isUnsupported: Bool { POSIX.isUnsupported(errno) }

  /// "cannot open Book.pkg: No such file or directory", safe to print.
  public var description: String {
    "cannot \(operation.rawValue) \(path.isEmpty ? "''" : path): \(detail ?? errno.description)"
  }
}

/// Runs `body` and adds the path and the operation to its errors.
func attempt<Value: ~Copyable>(
  _ operation: FileError.Operation, _ path: @autoclosure () -> String,
  _ body: () throws(Errno) -> Value
) throws(FileError) -> Value {
  do throws(Errno) { return try body() } catch { throw FileError(operation, path(), error) }
}

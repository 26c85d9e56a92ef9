public import SystemPackage

/// A system call on a file that did not succeed: what was tried, on what, and what the system answered.
public struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was tried, in the words a message uses: "cannot open …".
  public enum Operation: String, Sendable {
    case open, read, write, create, remove, rename, list, inspect, synchronize, lock
  }

  public let operation: Operation
  /// The path as it should be shown to a person.
  public let path: String
  public let errno: Errno

  public init(_ operation: Operation, _ path: String, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  public var description: String { "cannot \(operation.rawValue) \(path): \(errno)" }
}

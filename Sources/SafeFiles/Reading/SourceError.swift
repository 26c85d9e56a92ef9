import Support
import SystemPackage

/// A reason why the bytes of a source could not be read or copied to a file.
public enum SourceError: Error, Sendable {
  /// A system call failed, on the source file or on the file to which the bytes are copied.
  case file(FileError)
  /// The source of this name has fewer bytes than it reported at first. The name is not safe to print.
  case endedEarly(String)
  /// The source of this name was changed while it was read. The name is not safe to print.
  case changed(String)
  /// The transport that fetches the bytes failed, with its own error.
  case transport(any Error)

  /// The error of the system call or the transport, for callers with their own messages; nil for the other cases.
  public var underlying: (any Error)? {
    switch self {
    case .file(let error): error
    case .transport(let error): error
    case .endedEarly, .changed: nil
    }
  }
}

extension SourceError: CustomStringConvertible {
  /// "cannot read Book.pkg: it became shorter while it was read", safe to print.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .endedEarly(let name): FileError.becameShorter(name).description
    case .changed(let name): "\(String(displaying: name.utf8)) changed while it was read"
    case .transport(let error): String(displaying: String(describing: error).utf8)
    }
  }
}

extension SourceError: Equatable {
  /// Errors of transports are equal if their descriptions are.
  public static func == (left: SourceError, right: SourceError) -> Bool {
    switch (left, right) {
    case (.file(let left), .file(let right)): left == right
    case (.endedEarly(let left), .endedEarly(let right)): left == right
    case (.changed(let left), .changed(let right)): left == right
    case (.transport, .transport): left.description == right.description
    default: false
    }
  }
}

extension FileError {
  /// Returns the error for a file that has fewer bytes than when it was opened.
  static func becameShorter(_ path: String) -> FileError {
    FileError(.read, path, .ioError, detail: "it became shorter while it was read")
  }
}

/// Runs `body` and converts its file errors to source errors.
package func asSourceError<Value: ~Copyable>(
  _ body: () throws(FileError) -> Value
) throws(SourceError) -> Value {
  do throws(FileError) { return try body() } catch { throw .file(error) }
}

#if COMMAND_LINE_TOOL
import CArchive
import SafeFiles
import Support

/// An error that libarchive reported.
public struct ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The failed operation, as the message names it.
  package enum Operation: String, Sendable {
    case open = "open the archive"
    case nextHeader = "read the next entry"
    case readData = "decode the data"
  }

  package let operation: Operation
  /// libarchive's result code; lower is worse (archive.h): warning, failed, fatal.
  package let code: CInt
  /// libarchive's error message, safe to print.
  package let message: String

  /// "cannot decode the data: …", safe to print.
  public var description: String { "cannot \(operation.rawValue): \(message)" }

  /// Reads the code and message from a handle. Call it before the next libarchive call overwrites them.
  init(_ operation: Operation, code: CInt, handle: OpaquePointer) {
    self.operation = operation
    self.code = code
    if let text = unsafe archive_error_string(handle) {
      // Some messages end in a line feed. Others repeat a name from the archive.
      let line = unsafe String(cString: text).split(separator: "\n").joined(separator: " ")
      message = String(displaying: line.utf8)
    } else {
      message = "libarchive returned \(code) without a message"
    }
  }

  /// Returns the error for a handle that libarchive could not create.
  static func outOfMemory(_ operation: Operation) -> ArchiveError {
    ArchiveError(operation, code: ARCHIVE_FATAL, message: "out of memory")
  }

  private init(_ operation: Operation, code: CInt, message: String) {
    self.operation = operation
    self.code = code
    self.message = message
  }
}
#endif

import CArchive
import SafeFiles

/// A call of libarchive that did not succeed.
public struct ArchiveFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was being done, in the words a message uses.
  package enum Operation: String, Sendable {
    case open = "open the archive"
    case nextHeader = "read the next entry"
    case readData = "decode the data"
    case writeHeader = "begin an entry"
    case writeData = "compress the data"
    case close = "finish the archive"
  }

  package let operation: Operation
  /// libarchive's result code, worse is smaller (archive.h): `ARCHIVE_WARN`, `ARCHIVE_FAILED`, `ARCHIVE_FATAL`.
  package let code: CInt
  /// libarchive's own words, safe to print.
  package let message: String

  /// "cannot compress the data: …", safe to print.
  public var description: String { "cannot \(operation.rawValue): \(message)" }

  /// Takes code and words from a handle, before another call can change them.
  init(_ operation: Operation, code: CInt, handle: OpaquePointer) {
    self.operation = operation
    self.code = code
    if let text = unsafe archive_error_string(handle) {
      // Some of its sentences end in a line feed; others repeat a name from the archive.
      let words = unsafe String(cString: text).split(separator: "\n").joined(separator: " ")
      message = String(displaying: words.utf8)
    } else {
      message = "libarchive gave the result \(code) and no reason"
    }
  }

  /// libarchive could not even make a handle.
  static func outOfMemory(_ operation: Operation) -> ArchiveFailure {
    ArchiveFailure(operation, code: ARCHIVE_FATAL, message: "out of memory")
  }

  private init(_ operation: Operation, code: CInt, message: String) {
    self.operation = operation
    self.code = code
    self.message = message
  }
}

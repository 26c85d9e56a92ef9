import Support

/// A defect of a document, or a failure to read it.
package struct DocumentError: Error, Sendable {
  /// One lower-case sentence without a full stop; safe to print.
  package let message: String
  /// The error that prevented reading; nil for a defective document.
  package let cause: (any Error)?

  /// Creates the error for a defective document, and makes `message` safe to print.
  package init(_ message: String) {
    self.message = String(displaying: message.utf8)
    cause = nil
  }

  /// Creates the error for a document that could not be read.
  package init(cause: any Error) {
    message = String(displaying: "\(cause)".utf8)
    self.cause = cause
  }
}

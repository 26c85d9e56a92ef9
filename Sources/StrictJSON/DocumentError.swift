import Support

/// A defect of a document, as one lower-case sentence without a full stop that is safe to print.
package struct DocumentError: Error, Sendable {
  package let message: String
  /// The error of reading, if the document could not be read; nil for a defective document.
  package let cause: (any Error)?

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

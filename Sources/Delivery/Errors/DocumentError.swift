package import SafeFiles
import Support

/// A defect of a store document, as one lower-case sentence without a full stop that is safe to print.
package struct DocumentError: Error, Sendable, Equatable {
  package let message: String
  /// The read error, if the document could not be read; nil for a defective document.
  package let error: SourceError?

  package init(_ message: String) {
    self.message = String(displaying: message.utf8)
    error = nil
  }

  init(_ error: SourceError) {
    message = error.description
    self.error = error
  }
}

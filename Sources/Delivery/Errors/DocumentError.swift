package import SafeFiles
import Support

/// What is wrong with a document of a store: one lower-case sentence without a full stop, safe to print.
package struct DocumentError: Error, Sendable, Equatable {
  package let message: String
  /// What kept the document from being read, if it is not the document that is wrong.
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

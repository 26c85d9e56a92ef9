import Support

/// What is wrong with a document of a store: one lower-case sentence without a full stop, safe to print.
package struct DocumentProblem: Error, Sendable, Equatable {
  package let message: String

  package init(_ message: String) { self.message = String(displaying: message.utf8) }
}

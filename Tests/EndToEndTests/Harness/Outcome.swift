import TestSupport
import Testing

extension Outcome {
  /// Returns the single JSON document on standard output.
  func document() throws -> JSON { try JSON(parsing: output) }

  /// Checks the exit code and, if given, the text that standard error must contain.
  @discardableResult
  func exits(
    _ expected: Int32, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    #expect(code == expected, "\(self)", sourceLocation: sourceLocation)
    for part in words {
      #expect(
        errors.contains(part), "standard error does not say '\(part)': \(self)",
        sourceLocation: sourceLocation)
    }
    return self
  }

  /// Checks for an error: the exit code, text on standard error, nothing on standard output.
  @discardableResult
  func fails(
    _ expected: Int32, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    exits(expected, sourceLocation: sourceLocation)
    #expect(output.isEmpty, "standard output is for data: \(self)", sourceLocation: sourceLocation)
    #expect(!errors.isEmpty, "an error says why: \(self)", sourceLocation: sourceLocation)
    for part in words {
      #expect(
        errors.contains(part), "standard error does not say '\(part)': \(self)",
        sourceLocation: sourceLocation)
    }
    return self
  }

  /// Checks for a success without messages.
  @discardableResult
  func succeeds(sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
    exits(0, sourceLocation: sourceLocation)
    #expect(errors.isEmpty, "nothing is wrong: \(self)", sourceLocation: sourceLocation)
    return self
  }
}

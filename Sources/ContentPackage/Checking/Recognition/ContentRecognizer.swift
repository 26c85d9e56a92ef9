import Support

/// Recognizes a file by its bytes, whatever its name.
package enum ContentRecognizer {
  /// Returns the formats of a file that content should not have. Ordinary and empty files give no result.
  package static func recognize(_ file: FileExcerpt) -> [Recognition] {
    let format = beginning(of: file) ?? file.passing
    // If a file is a program, nothing else matters. The end of a ZIP archive needs no second check.
    if format?.kind == .code { return [format].compactMap(\.self) }
    let end = format?.kind == .zip ? nil : FileEnd.recognize(file)
    return [format, end, Secrets.recognize(file)].compactMap(\.self)
  }

  /// Returns the findings of secrets in a text that is published beside packages, such as the notes of a release.
  package static func secretFindings(in text: [UInt8]) -> [Finding] {
    var file = FileExcerpt(size: Int64(text.count))
    file.take(text.borrowedSpan)
    return Secrets.recognize(file).map {
      [Finding(.fileSecret, severity: $0.severity, "contains \($0.what)")]
    } ?? []
  }

  /// Returns the result of the first format whose signature the file has.
  private static func beginning(of file: FileExcerpt) -> Recognition? {
    guard let first = file.head.first else { return nil }
    for signature in Signature.byFirstByte[Int(first)] + Signature.elsewhere
    where signature.matches(file.head.borrowedSpan) {
      if let recognition = signature.check(file) { return recognition }
    }
    return nil
  }
}

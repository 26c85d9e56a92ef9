import Support

/// Recognizes a file by its bytes, whatever its name.
package enum ContentRecognizer {
  /// Returns the recognized formats of a file; none for ordinary and empty files.
  package static func recognize(_ file: FileExcerpt) -> [Recognition] {
    let format = beginning(of: file) ?? file.middleFormat
    // A program needs no other result, and a ZIP archive needs no check of its end.
    if format?.kind == .code { return [format].compactMap(\.self) }
    let end = format?.kind == .zip ? nil : FileEnd.recognize(file)
    return [format, end, Secrets.recognize(file)].compactMap(\.self)
  }

  /// Returns the findings about secrets in a text that is published with packages, such as release notes.
  package static func secretFindings(in text: [UInt8]) -> [Finding] {
    var file = FileExcerpt(size: Int64(text.count))
    file.update(text.borrowedSpan)
    return Secrets.recognize(file).map {
      [Finding(.fileSecret, severity: $0.severity, "contains \($0.formatName)")]
    } ?? []
  }

  /// Returns the result of the first signature whose check succeeds.
  private static func beginning(of file: FileExcerpt) -> Recognition? {
    guard let first = file.head.first else { return nil }
    for signature in Signature.byFirstByte[Int(first)] + Signature.atOtherOffsets
    where signature.matches(file.head.borrowedSpan) {
      if let recognition = signature.check(file) { return recognition }
    }
    return nil
  }
}

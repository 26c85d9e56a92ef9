import SafeFiles
import ZipArchive

/// The rules on code in a compressed stream inside the content, one level deep.
enum NestedStreamRules {
  /// Returns the findings in the first decoded bytes of a stream. `formatName` is the name of the stream's format, with
  /// its article.
  static func findings(
    for path: EntryPath, in data: any ByteSource, _ method: NestedStream.Method, _ formatName: String
  ) throws -> [Finding] {
    let beginning = try NestedStream.beginning(of: data, method, count: FileExcerpt.headLength)
    // The size is known only if the whole stream was decoded.
    let size = beginning.isComplete ? Int64(beginning.bytes.count) : .max
    let recognitions = ContentRecognizer.recognize(FileExcerpt(head: beginning.bytes, size: size))
    var findings = recognitions.compactMap { recognition in
      recognition.ruleInside(isExecutable: false).map { rule in
        let depth = rule == .fileNestedArchive ? ", which is nested too deeply to be checked" : ""
        return Finding(
          rule, at: path, severity: recognition.severity,
          "contains \(formatName) of \(recognition.formatName)\(depth)")
      }
    }
    if let error = beginning.error {
      let message = "contains \(formatName) that cannot be checked (\(error))"
      findings.append(Finding(.fileNestedArchive, at: path, message))
    }
    return findings
  }
}

import ContentPackage
import Delivery
import SafeFiles
import Support
import ZipArchive

/// The summary of a step on the page of a GitHub workflow run: tables in Markdown (GitHub Docs, "Workflow commands for
/// GitHub Actions", "Adding a job summary").
struct JobSummary {
  /// A table. The first `textColumnCount` columns are text, and the others are numbers.
  struct Table {
    let head: [String]
    let textColumnCount: Int
    let rows: [[String]]

    init(_ head: [String], textColumnCount: Int, _ rows: [[String]]) {
      self.head = head
      self.textColumnCount = textColumnCount
      self.rows = rows
    }
  }

  /// The variable with the path of the step's summary file.
  private static let variable = "GITHUB_STEP_SUMMARY"
  /// The path of the summary file; nil outside a workflow, and for `/dev/null`.
  static var path: String? {
    ProcessEnvironment.value(variable).flatMap { FileSystem.isNullDevice($0) ? nil : $0 }
  }
  /// The maximum size of the summary file in bytes: GitHub rejects larger ones.
  static let maximumByteCount = 1 << 20
  /// The bytes reserved for the text after a truncated table.
  private static let reservedByteCount = 1 << 10

  private let title: String
  private let note: String?
  private let tables: [Table]

  /// Creates a summary of `tables`, and of a table of the report's findings and errors, if it has any.
  init(_ title: String, note: String? = nil, _ tables: [Table], _ report: GitHubReport?) {
    self.title = title
    self.note = note
    self.tables = tables + [report?.table].compactMap(\.self)
  }

  /// Checks that the summary's file is not in the folder of a store, if the report format is GitHub's.
  ///
  /// - Throws: `CommandError`; `FileError` if a parent folder of the summary cannot be inspected.
  static func check(_ report: some ErrorReporting, outside store: String) throws {
    guard report.reportFormat == .github, let path, StoreLocation.scheme(of: store) == nil else { return }
    do {
      try ProtectedInputs([store]).check(path)
    } catch is OutputConflict {
      throw CommandError(
        .cannotCreate,
        "the job summary \(path) is in the store \(store); set \(variable) to a file outside of the store",
        path: path)
    }
  }

  /// Appends the summary to the file that GitHub names, if the report format is GitHub's.
  ///
  /// - Parameters:
  ///   - report: The report options.
  ///   - store: The store that the command changed, which must not contain the file; nil for none.
  ///   - console: Receives errors.
  /// - Returns: The exit code. A failure to write is reported on standard error.
  func append(
    as report: some ErrorReporting, outside store: String? = nil, on console: Console
  ) -> ExitStatus {
    guard report.reportFormat == .github, let path = Self.path else {
      return .success
    }
    do {
      // Checks again, because the command may have created the store.
      if let store { try Self.check(report, outside: store) }
      let written = try FileSystem.status(of: path, followingLinks: true)?.size ?? 0
      let text = Array(self.text(below: Self.maximumByteCount - Int(clamping: written)).utf8)
      // Any UInt8 is a byte.
      if !text.isEmpty { try FileSystem.append(unsafe text.borrowedSpan.bytes, to: path) }
      return .success
    } catch {
      let cause = CommandError(error, cancellation: Cancellation(), inputs: [])
      report.printError(
        CommandError(
          cause.status, "the command completed, but its job summary was not written: \(cause.message)"),
        on: console)
      return cause.status
    }
  }

  /// Returns the summary in Markdown, in at most `limit` bytes; empty if the heading does not fit.
  func text(below limit: Int) -> String {
    var text = "\n### \(Self.escaped(title))\n\n"
    if let note { text += "\(Self.escaped(note))\n\n" }
    guard text.utf8.count + Self.reservedByteCount <= limit else { return "" }
    for table in tables {
      let head =
        Self.row(table.head)
        + Self.row(table.head.indices.map { $0 < table.textColumnCount ? "---" : "---:" }, isPlain: true)
      var (part, size) = (head, text.utf8.count + head.utf8.count)
      var remainingRowCount = table.rows.count
      for row in table.rows {
        let line = Self.row(row)
        guard size + line.utf8.count + Self.reservedByteCount <= limit else { break }
        part += line
        size += line.utf8.count
        remainingRowCount -= 1
      }
      guard remainingRowCount < table.rows.count || table.rows.isEmpty else {
        return text + "The remaining tables do not fit; the log of this step has all of them.\n"
      }
      text += part + "\n"
      if remainingRowCount > 0 {
        return text + "\(remainingRowCount) more rows do not fit; the log of this step has all of them.\n"
      }
    }
    return text
  }

  private static func row(_ cells: [String], isPlain: Bool = false) -> String {
    "| \(cells.map { isPlain ? $0 : escaped($0) }.joined(separator: " | ")) |\n"
  }

  /// Returns text without Markdown or HTML syntax. ASCII punctuation other than `-`, `/` and `,` becomes character
  /// references (CommonMark 0.31, 2.5), which also prevents links, mentions and emoji.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "/", ",": escaped.unicodeScalars.append(scalar)
      case _ where !scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default: escaped += "&#\(scalar.value);"
      }
    }
  }
}

extension GitHubReport {
  /// The table of errors and findings; nil if there are none.
  fileprivate var table: JobSummary.Table? {
    let failed = errors.map { ["error", "", $0.path ?? "", $0.message] }
    let found = inputs.flatMap { input in
      input.findings.map { finding in
        let place = InputPath.joined(String(displaying: input.path.utf8), finding.path?.escaped)
        return [finding.severity.rawValue, finding.rule.rawValue, place, finding.message]
      }
    }
    guard !(failed + found).isEmpty else { return nil }
    return JobSummary.Table(["severity", "rule", "location", "message"], textColumnCount: 4, failed + found)
  }
}

import Testing

@testable import IAPKGCommands

struct JobSummaryTests {
  @Test func `a text in a summary is neither Markdown nor HTML`() {
    #expect(JobSummary.escaped("a b-c/d,é") == "a b-c/d,é")
    #expect(JobSummary.escaped("<b>|`_*@:\n") == "&#60;b&#62;&#124;&#96;&#95;&#42;&#64;&#58;&#10;")
  }

  @Test func `a summary that is too long says how many rows are missing`() {
    let rows = (0..<50_000).map { ["name \($0)", "\($0)"] }
    let summary = JobSummary("test", [.init(["name", "count"], textColumnCount: 1, rows)], nil)
    for limit in [4_000, JobSummary.maximumByteCount] {
      let text = summary.text(below: limit)
      #expect(text.utf8.count <= limit)
      let lines = text.split(separator: "\n")
      let shown = lines.count { $0.hasPrefix("| name ") } - 1
      #expect(shown > 0)
      #expect(
        text.hasSuffix(
          "\n\(50_000 - shown) more rows do not fit; the log of this step has all of them.\n"))
    }
    #expect(summary.text(below: 100).isEmpty)
    #expect(
      JobSummary("test", [.init(["name", "count"], textColumnCount: 1, [rows[0]])], nil).text(below: 4_000)
        == "\n### test\n\n| name | count |\n| --- | ---: |\n| name 0 | 0 |\n\n")
  }
}

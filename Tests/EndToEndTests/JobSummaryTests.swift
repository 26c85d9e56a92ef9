import TestSupport
import Testing

/// The summaries that commands append to the job summary on GitHub.
@Suite(.waiting) struct JobSummaryTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
  }

  private func run(_ arguments: String..., summary: String = "summary.md") throws -> Outcome {
    try work.iapkg(
      arguments + ["--format", "github"], environment: ["GITHUB_STEP_SUMMARY": work.place(summary)])
  }

  @Test func `validate appends its findings, with names escaped`() throws {
    try work.write("before\n", to: "summary.md")
    try work.write("#!/bin/sh\n", to: "Book/Contents/a|b<b>*www.example.com*.txt")
    try run("validate", "Book").exits(0)
    let text = try work.text("summary.md")
    #expect(text.hasPrefix("before\n\n### iapkg validate\n\n| input | product | version | result | errors |"))
    #expect(text.contains("| Book | com&#46;example&#46;book | 1&#46;0 | valid | 0 | 1 | 0 |"))
    #expect(text.contains("| warning | file/script | Book/Contents/a&#124;b&#60;b&#62;&#42;www&#46;example"))
    try run("validate", "missing").exits(66)
    #expect(try work.text("summary.md").contains("| error |  | missing | cannot open missing"))
  }

  @Test func `the null device in place of a summary is not an error`() throws {
    try work.makeLink("null", to: "/dev/null")
    let outcome = try run("validate", "Book", summary: "null").exits(0)
    #expect(!outcome.errors.contains("summary"), "\(outcome)")
  }

  @Test func `release and report append versions and update sizes`() throws {
    try run("release", "Book", "--to", "store").exits(0)
    #expect(
      try work.text("summary.md").contains("| com&#46;example&#46;book | - | 1&#46;0 | published | all | - |")
    )
    try work.write("more", to: "Book/Contents/more.txt")
    let refused = try run("release", "Book", "--to", "store", summary: "second.md").exits(1)
    #expect(refused.output.contains("::error file=Book/ContentInfo.plist"))
    let second = try work.text("second.md")
    #expect(second.contains("| not-raised | 1 | - |"))
    #expect(second.contains("| error | version/not-raised | Book/ContentInfo&#46;plist |"))
    let made = try run("report", "Book", "--against", "store", "-o", "page.html", summary: "third.md").exits(
      0)
    #expect(!made.output.contains("::"))
    #expect(
      try work.text("third.md").contains(
        "| update from | published | state | download |\n| --- | --- | --- | ---: |\n| 1&#46;0 | "))
  }

  @Test func `no summary is written unless both the format and the variable request it`() throws {
    try work.iapkg("validate", "Book", "--format=json", environment: ["GITHUB_STEP_SUMMARY": work.place("s")])
      .succeeds()
    try work.iapkg("validate", "Book", "--format=github").exits(0)
    #expect(!work.exists("s"))
  }

  @Test func `a summary that cannot be written is reported, and does not hide another error`() throws {
    try work.makeFolder("folder")
    try run("validate", "Book", summary: "folder").exits(
      73, saying: "the command completed, but its job summary was not written: ", "a folder")
    try run("release", "Book", "--to", "store", summary: "none/file").exits(
      73, saying: "the command completed")
    #expect(work.exists("store/catalog.json"))
    try run("validate", "missing", summary: "folder").exits(66)
    // A full summary is left unchanged.
    try work.write([UInt8](repeating: 0x61, count: 1 << 20), to: "full.md")
    try run("validate", "Book", summary: "full.md").exits(0)
    #expect(try work.bytes("full.md").count == 1 << 20)
  }

  @Test func `a summary is never added to the store of a release`() throws {
    for store in ["new", "store"] {
      try work.iapkg("release", "Book", "--to", "store").exits(0)
      let before = try work.snapshot("store")
      let outcome = try run("release", "Book", "--to", store, summary: "\(store)/summary.md").exits(
        73, saying: "is in the store \(store)", "GITHUB_STEP_SUMMARY")
      #expect(!work.exists("\(store)/summary.md"), "\(outcome)")
      #expect(try work.snapshot("store") == before)
    }
  }

  @Test func `a summary behind a dangling link is refused`() throws {
    try work.makeFolder("other")
    try work.makeLink("link.md", to: "other/summary.md")
    try run("validate", "Book", summary: "link.md").exits(73, saying: "a symbolic link that leads nowhere")
    #expect(!work.exists("other/summary.md"))
  }

  @Test func `a summary is never added to an input`() throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    for summary in ["Book/ContentInfo.plist", "Book/Contents/summary.md"] {
      try work.iapkg(
        "validate", "Book", "--format", "github", environment: ["GITHUB_STEP_SUMMARY": work.place(summary)]
      ).exits(73)
    }
    #expect(try work.snapshot() == before)
  }
}

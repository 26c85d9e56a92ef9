import TestSupport
import Testing

/// Review submissions of asset packs in App Store Connect.
@Suite(.waiting) struct UploadSubmissionTests {
  private let service: PackService

  init() throws { service = try PackService() }

  private func archive(_ word: String) -> String { "pbze" + word }

  @Test func `ready versions are submitted in groups of at most ten for each platform`() throws {
    for number in 1...11 { try service.write("pack-\(number)", archive("\(number)")) }
    try service.write("mac", archive("mac"), platform: "macOS")
    let document = try service.upload("--submit", "--format=json").succeeds().document()
    #expect(document["submissions"] == 3)
    let submissions = try service.resources("reviewSubmissions")
    #expect(submissions.allSatisfy { $0["state"] == "WAITING_FOR_REVIEW" })
    let items = try service.resources("reviewSubmissionItems")
    #expect(items.count == 12)
    let counts = Dictionary(grouping: items) { $0["submission"]?.text ?? "" }.values.map(\.count).sorted()
    #expect(counts == [1, 1, 10])
    #expect(try service.upload("--submit", "--format=json").succeeds().document()["submissions"] == 0)
  }

  @Test func `the next run continues a stopped submission`() throws {
    for name in ["one", "two"] { try service.write(name, archive(name)) }
    try service.upload().succeeds()
    for step in ["reviewSubmissions$", "reviewSubmissionItems$"] {
      try service.fail(#"{"method": "POST", "path": "\#(step)", "do": "lose"}"#)
      try service.upload("--submit").fails(69)
    }
    try service.upload("--submit").succeeds()
    #expect(try service.resources("reviewSubmissions").count == 1)
    #expect(try service.resources("reviewSubmissionItems").count == 2)
  }

  @Test(arguments: [7, 10])
  func `versions of a stopped submission are not added to another one`(_ added: Int) throws {
    for number in 1...12 { try service.write("pack-\(number)", archive("\(number)")) }
    try service.upload().succeeds()
    let step =
      added < 10 ? #""POST", "path": "reviewSubmissionItems$""# : #""PATCH", "path": "reviewSubmissions/""#
    try service.fail(#"{"method": \#(step), "skip": \#(added % 10), "do": "status", "status": 403}"#)
    try service.upload("--submit").fails(77)
    try service.upload("--submit").succeeds()
    let items = try service.resources("reviewSubmissionItems")
    let counts = Dictionary(grouping: items) { $0["submission"]?.text ?? "" }.values.map(\.count).sorted()
    #expect(counts == [2, 10])
    #expect(try service.upload("--submit", "--format=json").succeeds().document()["submissions"] == 0)
  }

  @Test func `the next run sends a submission that a stopped run filled and did not send`() throws {
    for name in ["one", "two"] { try service.write(name, archive(name)) }
    try service.fail(#"{"method": "PATCH", "path": "reviewSubmissions/", "do": "status", "status": 403}"#)
    try service.upload("--submit").fails(77)
    let document = try service.upload("--submit", "--format=json").succeeds().document()
    #expect(document["submissions"] == 1)
    #expect(document["packs"]?.elements.allSatisfy { $0["submission"]?.text != nil } == true)
    #expect(try service.resources("reviewSubmissions").map { $0["state"] } == ["WAITING_FOR_REVIEW"])
    #expect(try service.upload("--submit", "--format=json").succeeds().document()["submissions"] == 0)
  }

  @Test func `a submission whose response is lost counts as sent`() throws {
    try service.write("one", archive("one"))
    try service.fail(#"{"method": "PATCH", "path": "reviewSubmissions", "do": "lose"}"#)
    #expect(try service.upload("--submit", "--format=json").succeeds().document()["submissions"] == 1)
  }
}

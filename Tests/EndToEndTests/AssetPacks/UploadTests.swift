import Foundation
import PackageForge
import TestSupport
import Testing

/// Uploads of asset packs to App Store Connect.
@Suite(.waiting) struct UploadTests {
  private let service: PackService
  private var work: Workspace { service.work }

  init() throws { service = try PackService() }

  /// Returns the text of an archive that needs several parts.
  private func archive(_ word: String) -> String { "pbze" + String(repeating: word + "\n", count: 900) }

  private func outcomes(_ outcome: Outcome) throws -> [String] {
    let packs = try outcome.document()["packs"]?.elements ?? []
    return packs.map { "\($0["assetPackID"]?.text ?? "") \($0["outcome"]?.text ?? "")" }
  }

  @Test func `one command uploads all packs, and later only the changed ones`() throws {
    let names = (1...12).map { "pack-\($0)" }
    for name in names { try service.write(name, archive(name)) }
    let first = try service.upload("--format=json").succeeds()
    #expect(try outcomes(first).allSatisfy { $0.hasSuffix(" uploaded") })
    #expect(try first.document()["packs"]?.elements.count == 12)
    for name in names { try service.holds(name) }
    #expect(
      try outcomes(service.upload("--format=json").succeeds()).allSatisfy { $0.hasSuffix(" unchanged") })
    for name in ["pack-3", "pack-7"] { try service.write(name, archive("new \(name)")) }
    let planned = try outcomes(service.upload("--dry-run", "--format=json").succeeds())
    #expect(
      planned.filter { $0.hasSuffix(" would-upload") } == ["pack-3 would-upload", "pack-7 would-upload"])
    let puts = try service.log().filter { $0.hasPrefix("PUT") }.count
    let second = try outcomes(service.upload("--format=json").succeeds())
    #expect(second.filter { $0.hasSuffix(" uploaded") } == ["pack-3 uploaded", "pack-7 uploaded"])
    #expect(try service.versionCount("pack-3") == 2)
    #expect(try service.versionCount("pack-1") == 1)
    #expect(try service.log().filter { $0.hasPrefix("PUT") }.count > puts)
    #expect(try !service.log().contains { $0.hasPrefix("LEAK") })
  }

  @Test func `status shows every state, and changes nothing`() throws {
    try service.write("one", archive("one"))
    try service.write("two", archive("two"))
    let text = try service.upload("--status").succeeds().output
    #expect(text == "one: not in App Store Connect\ntwo: not in App Store Connect\n")
    #expect(!work.exists("Packs/.iapkg-uploads.json"))
    try service.upload().succeeds()
    let document = try service.upload("--status", "--format=json").succeeds().document()
    let pack = document["packs"]?[0]
    #expect(pack?["version"] == 1 && pack?["state"] == "COMPLETE" && pack?["outcome"] == "shown")
    #expect(pack?["appStoreState"] == "PREPARE_FOR_SUBMISSION")
  }

  @Test(arguments: [
    "POST /v1/backgroundAssets$", "POST /v1/backgroundAssetVersions$", "POST /v1/backgroundAssetUploadFiles$",
    "PUT /upload/", "PATCH /v1/backgroundAssetUploadFiles",
  ])
  func `the next run completes a run that was killed after any step, without a second version`(_ step: String)
    throws
  {
    try service.write("one", archive("one"))
    try service.write("two", archive("two"))
    let parts = step.split(separator: " ")
    for _ in 0...1 {
      try service.fail(
        #"{"method": "\#(parts[0])", "path": "\#(parts[1])", "do": "done-hold"}"#)
      let program = try service.start()
      try service.waitUntilHeld()
      program.running.send(SIGKILL)
      _ = program.running.wait()
      try work.write("", to: "service.log")
    }
    try service.fail()
    try service.upload().succeeds()
    try service.holds("one", "two")
  }

  @Test(arguments: [
    #"{"path": "", "do": "status", "status": 503, "retryAfter": 0, "times": 2}"#,
    #"{"method": "PUT", "do": "status", "status": 500}"#, #"{"method": "PUT", "do": "drop"}"#,
    #"{"method": "PUT", "do": "lose"}"#, #"{"method": "GET", "do": "drop"}"#,
    #"{"method": "PATCH", "do": "lose"}"#, #"{"path": "", "do": "status", "status": 401}"#,
    #"{"method": "POST", "do": "status", "status": 429, "retryAfter": 0}"#,
  ])
  func `a temporary fault is retried`(_ fault: String) throws {
    try service.write("one", archive("one"))
    try service.fail(fault)
    try service.upload().exits(0)
    try service.holds("one")
  }

  @Test(arguments: [("POST", "backgroundAssets$"), ("POST", "Versions$"), ("POST", "UploadFiles$")])
  func `a creation whose response is lost is not repeated, and the next run continues`(
    _ method: String, _ path: String
  )
    throws
  {
    try service.write("one", archive("one"))
    try service.fail(#"{"method": "\#(method)", "path": "\#(path)", "do": "lose"}"#)
    try service.upload().fails(69)
    try service.upload().succeeds()
    try service.holds("one")
  }

  @Test func `received parts are not uploaded again`() throws {
    try service.write("one", archive("one"))
    try service.fail(#"{"method": "PUT", "path": "/2000", "do": "status", "status": 403, "times": -1}"#)
    try service.upload().fails(77)
    let before = try service.log().filter { $0.hasPrefix("PUT") && $0.hasSuffix(" 200") }.count
    try service.fail()
    try work.write("", to: "service.log")
    let document = try service.upload("--format=json").succeeds().document()
    let sent = try service.log().filter { $0.hasPrefix("PUT") }.count
    #expect(before > 0 && sent + before == 4)
    #expect(document["packs"]?[0]?["uploadedBytes"]?.integer ?? 0 < 3_600)
  }

  @Test func `a rejection is reported with its reason, and uploaded again only with --retry`() throws {
    try service.write("one", archive("reject this"))
    try service.upload().exits(
      1, saying: "rejected version 1 of one", #"the manifest is \u{001B}[31mnot valid"#, "--retry")
    try service.upload().exits(1)
    #expect(try service.versionCount("one") == 1)
    try service.upload("--retry").exits(1)
    #expect(try service.versionCount("one") == 2)
    try service.write("one", archive("good"))
    try service.upload("--submit").succeeds()
  }

  @Test func `--wait 0 accepts a version in processing, but not with --submit`() throws {
    let slow = try PackService(options: ["--polls", "1000"])
    try slow.write("one", archive("one"))
    let outcome = try slow.upload("--wait", "0", "--format=json").succeeds().document()
    #expect(outcome["packs"]?[0]?["state"] == "PROCESSING")
    try slow.upload("--submit", "--wait", "0").fails(64)
    #expect(try outcomes(slow.upload("--dry-run", "--format=json").succeeds()) == ["one unchanged"])
  }

  @Test(arguments: [
    (
      #"{"method": "PATCH", "do": "answer", "body": {"data": {"type": "apps", "id": "1"}}}"#,
      "without a resource"
    ),
    (
      #"{"path": "Versions/[^/]+[?]include", "do": "answer", "body": {"data": {"type": "backgroundAssetVersions", "id": "v", "attributes": {"version": "1", "state": "MELTED"}}}}"#,
      "'MELTED'"
    ),
    (
      #"{"path": "Versions/[^/]+[?]include", "do": "answer", "body": {"data": {"type": "backgroundAssetVersions", "id": "v", "attributes": {"version": 1, "state": "COMPLETE"}}}}"#,
      "a number as version"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": []}}}}"#,
      "0 upload operations"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": [{"method": "PUT", "url": "http://example.com/x", "offset": 0, "length": 10}]}}}}"#,
      "address is not https"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": [{"method": "DELETE", "url": "http://127.0.0.1:1/x", "offset": 0, "length": 10}]}}}}"#,
      "not PUT"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": [{"method": "PUT", "url": "http://127.0.0.1:1/x", "offset": 5, "length": 10}]}}}}"#,
      "do not cover"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": [{"method": "PUT", "url": "http://127.0.0.1:1/x", "offset": 0, "length": 9223372036854775807}]}}}}"#,
      "do not cover"
    ),
    (
      #"{"method": "POST", "path": "UploadFiles", "do": "answer", "body": {"data": {"type": "backgroundAssetUploadFiles", "id": "f", "attributes": {"uploadOperations": [{"method": "PUT", "url": "http://127.0.0.1:1/x", "offset": 0, "length": 3600, "requestHeaders": [{"name": "Authorization", "value": "x"}]}]}}}}"#,
      "does not send"
    ),
    (#"{"path": "/v1/apps/", "do": "answer", "body": {"data": {}}}"#, "without a list"),
    (
      #"{"path": "/v1/apps/", "do": "answer", "body": {"data": [], "links": {"next": "http://127.0.0.2:9/more"}}}"#,
      "on a host other than"
    ),
    (
      #"{"path": "/v1/apps/", "do": "answer", "body": {"data": [{"type": "backgroundAssets", "id": "../../x"}]}}"#,
      "without a resource"
    ),
  ])
  func `a hostile response is refused`(_ fault: String, _ words: String) throws {
    try service.write("one", archive("one"))
    try service.fail(fault)
    try service.upload().fails(76, saying: words)
    #expect(try !service.log().contains { $0.hasPrefix("LEAK") })
  }

  @Test func `a response that is not JSON, or a redirection, is an error`() throws {
    try service.write("one", archive("one"))
    try service.fail(#"{"path": "/v1/apps/", "do": "answer", "body": "text"}"#)
    try service.upload().exits(76)
    try service.fail(#"{"path": "/v1/apps/", "do": "redirect", "to": "http://127.0.0.2:9/v1/apps/123"}"#)
    try service.upload().fails(69, saying: "status 307")
  }

  @Test func `a folder that cannot be uploaded is refused before the first request`() throws {
    try service.write("one", archive("one"))
    try work.remove("Packs/one.aar")
    try service.upload().fails(1, saying: "no archive", "--pack")
    try service.write("one", archive("one"), more: #", "userInfo": {"a": 1}"#)
    try service.upload().fails(1, saying: "on your own server")
    try service.write("two.dots", archive("two"))
    try work.remove("Packs/one")
    try service.upload().fails(1, saying: "letters, digits and hyphens")
    try work.remove("Packs/two.dots")
    try service.upload().fails(65, saying: "expected asset packs")
    #expect(try service.log().isEmpty)
    for words in [["--wait", "-1"], ["--status", "--submit"], ["--submit", "--dry-run"]] {
      try work.iapkg(service.words(words)).fails(64)
    }
    try work.iapkg("upload", "Packs", "--app", "123", "--key-id", "K").fails(
      64, saying: "--key-file is missing")
  }

  @Test func `an unknown app, an archived pack and an open submission of others are errors`() throws {
    try service.write("one", archive("one"))
    try work.iapkg(
      service.words([]).map { $0 == "123" ? "124" : $0 }, environment: ["no_proxy": "127.0.0.1"]
    ).fails(69, saying: "no app 124")
    try service.fail(
      #"{"path": "/v1/apps/", "do": "answer", "body": {"data": [{"type": "backgroundAssets", "id": "a", "attributes": {"assetPackIdentifier": "one", "archived": true}}]}}"#
    )
    try service.upload().fails(1, saying: "was archived")
    try service.upload().succeeds()
    try service.fail(
      #"{"path": "/v1/apps/123/reviewSubmissions", "do": "answer", "body": {"data": [{"type": "reviewSubmissions", "id": "s", "attributes": {"platform": "IOS", "state": "READY_FOR_REVIEW"}}]}}"#,
      #"{"path": "/v1/reviewSubmissions/s/items", "do": "answer", "body": {"data": [{"type": "reviewSubmissionItems", "id": "i"}]}}"#
    )
    try service.upload("--submit").fails(73, saying: "a review submission for IOS is open")
    try service.upload("--submit").succeeds()
  }

  /// Kills an upload while its first part is received.
  private func kill() throws {
    try service.fail(#"{"method": "PUT", "do": "done-hold"}"#)
    let program = try service.start()
    try service.waitUntilHeld()
    program.running.send(SIGKILL)
    _ = program.running.wait()
    try work.write("", to: "service.log")
    try service.fail()
  }

  /// Uploads, and returns the number of the version.
  private func uploadVersion(_ options: String...) throws -> JSON? {
    let words = service.words(options + ["--format=json"])
    let document = try work.iapkg(words, environment: ["no_proxy": "127.0.0.1"]).succeeds().document()
    #expect(document["packs"]?[0]?["outcome"] == "uploaded")
    return document["packs"]?[0]?["version"]
  }

  @Test func `content of equal size from another machine gets another version`() throws {
    let record = "Packs/.iapkg-uploads.json"
    try service.write("one", archive("AAA"))
    try kill()
    try work.run(["mv", record, "record.json"]).exits(0)
    try service.write("one", archive("BBB"))
    #expect(try uploadVersion() == 2)
    try work.run(["mv", "record.json", record]).exits(0)
    try service.write("one", archive("AAA"))
    #expect(try uploadVersion("--submit") == 3)
    let uploads = try work.names(in: "service").filter { $0.hasSuffix(".aar") }
    #expect(try Set(uploads.map { try work.text("service/\($0)") }) == [archive("AAA"), archive("BBB")])
  }

  @Test func `versions never fall, even if an earlier one still waits for its file`() throws {
    try service.write("one", archive("AAA"))
    try kill()
    try service.write("one", archive("other"))
    #expect(try uploadVersion("--submit") == 2)
    try service.write("one", archive("CCC"))
    #expect(try uploadVersion("--submit") == 3)
  }

  @Test func `earlier content that is restored with its record becomes a new version`() throws {
    try service.write("one", archive("AAA"))
    try service.upload("--submit").succeeds()
    try work.run(["cp", "-r", "Packs", "Backup"]).exits(0)
    try service.write("one", archive("BBB"))
    try service.upload("--submit").succeeds()
    try work.run(["rm", "-r", "Packs"]).exits(0)
    try work.run(["mv", "Backup", "Packs"]).exits(0)
    let status = try service.upload("--status").succeeds().output
    #expect(status.contains("version 2") && !status.contains("review submission"))
    #expect(try uploadVersion("--submit") == 3)
  }

  @Test func `an uploaded archive is recognized without the record`() throws {
    try service.write("one", archive("one"))
    try service.upload().succeeds()
    try work.remove("Packs/.iapkg-uploads.json")
    #expect(try outcomes(service.upload("--format=json").succeeds()) == ["one unchanged"])
  }

  @Test func `a rejected pack does not stop the submission of the others`() throws {
    try service.write("bad", archive("reject this"))
    try service.write("good", archive("good"))
    let document = try service.upload("--submit", "--format=json").exits(1).document()
    #expect(document["submissions"] == 1)
    #expect(try service.resources("reviewSubmissionItems").count == 1)
    let status = try service.upload("--status").succeeds().output
    #expect(status.contains(#"FAILED: the manifest is \u{001B}[31mnot valid"#))
  }

  @Test(arguments: [
    "", #"{"schemaVersion": 1"#, #"{"schemaVersion": 2, "apps": []}"#, #"{"schemaVersion": 1, "apps": 3}"#,
  ])
  func `a record that cannot be read is not replaced`(_ text: String) throws {
    try service.write("one", archive("one"))
    try work.write(text, to: "Packs/.iapkg-uploads.json")
    try service.upload().fails(78, saying: ".iapkg-uploads.json is not valid", "delete it")
    #expect(try work.text("Packs/.iapkg-uploads.json") == text)
    #expect(try service.log().isEmpty)
  }

  @Test func `the record of another app stays`() throws {
    try service.write("one", archive("one"))
    try work.write(
      #"{"schemaVersion": 1, "apps": [{"app": "77", "packs": [], "submissions": []}]}"#,
      to: "Packs/.iapkg-uploads.json")
    try service.upload().succeeds()
    let apps = try JSON(parsing: work.text("Packs/.iapkg-uploads.json"))["apps"]?.elements ?? []
    #expect(apps.compactMap { $0["app"]?.text } == ["77", "123"])
  }

  @Test func `two uploads from one folder exclude each other`() throws {
    try service.write("one", archive("one"))
    try service.fail(#"{"method": "PUT", "do": "done-hold"}"#)
    let program = try service.start()
    try service.waitUntilHeld()
    try service.upload().fails(75)
    program.running.send(SIGINT)
    #expect(program.running.wait() == -SIGINT)
    try service.upload().succeeds()
    try service.holds("one")
  }

  @Test func `neither key nor token is shown or written`() throws {
    try service.write("one", archive("one"))
    var shown = try [service.upload("--progress=always")]
    for fault in [#"{"do": "status", "status": 403}"#, #"{"method": "PUT", "do": "status", "status": 403}"#] {
      try service.write("one", archive(fault))
      try service.fail(fault)
      shown.append(try service.upload().exits(77))
    }
    let texts = try shown.flatMap { [$0.output, $0.errors] } + [work.text("Packs/.iapkg-uploads.json")]
    let secrets = PackService.secrets + ["eyJ", "s3cret"]
    for text in texts { #expect(!secrets.contains { text.contains($0) }) }
  }
}

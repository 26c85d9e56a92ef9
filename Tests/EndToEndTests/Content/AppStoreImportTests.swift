import Foundation
import PackageForge
import TestSupport
import Testing

/// `import --from-app-store-connect`: retrieving content that Apple still hosts.
@Suite(.waiting) struct AppStoreImportTests {
  private typealias Purchase = AppStoreServer.Purchase
  private typealias Reply = AppStoreServer.Reply

  private let work: Workspace
  private let book: [UInt8]

  init() throws {
    work = try Workspace()
    try work.write(AppStoreServer.keyFile, to: "AuthKey.p8", permissions: 0o600)
    try work.makeBookPackage()
    book = try work.bytes("Book.pkg")
  }

  /// Runs the command, and checks that its output and files contain no secrets.
  private func run(_ server: AppStoreServer, _ more: String...) throws -> Outcome {
    let outcome = try work.iapkg(
      server.arguments() + more, environment: ["no_proxy": "127.0.0.1"])
    var texts = [outcome.output, outcome.errors]
    if work.exists("got/.iapkg-import") {
      texts += try work.names(in: "got/.iapkg-import").filter { $0.hasSuffix(".json") }.map {
        try work.text("got/.iapkg-import/\($0)")
      }
    }
    for secret in server.secrets {
      #expect(!texts.contains { $0.contains(secret) }, "a secret is shown: \(outcome)")
    }
    #expect(server.files.received.allSatisfy { $0.headers["authorization"] == nil })
    return outcome
  }

  /// More bytes than a network delivers at once.
  private static let noise = Noise.bytes(3_000_000)

  /// A package that contains `noise`.
  private static let largeBook = ForgedArchive([
    .file("ContentInfo.plist", ForgedArchive.manifest("com.example.book", "1.0")), .folder("Contents/"),
    .file("Contents/large.dat", noise),
  ]).bytes()

  @Test func `hosted content in any format becomes content folders`() throws {
    let installer = ForgedInstaller(.book()).bytes()
    try work.makeBook("Old", product: "com.example.old")
    #expect(try work.run(["zip", "-qr", "Old.zip", "Old"]).code == 0)
    let server = try AppStoreServer(
      [
        Purchase(id: "1", product: "com.example.book", bytes: installer),
        Purchase(id: "2", product: "com.example.coins"),
        Purchase(id: "3", product: "com.example.old", bytes: try work.bytes("Old.zip"), fileName: "Old.zip"),
      ], pageSize: 2)
    let outcome = try run(server).exits(0, saying: "com.example.book: omitted: Book.pkg/PackageInfo")
    #expect(outcome.output.contains("com.example.coins  without content"))
    #expect(outcome.output.contains("3 in-app purchases: 2 converted, 1 without content"))
    #expect(try work.names(in: "got") == [".iapkg-import", "com.example.book", "com.example.old"])
    #expect(try work.snapshot("got/com.example.old") == work.snapshot("Old"))
    for folder in ["got/com.example.book", "got/com.example.old"] {
      try work.iapkg("validate", folder).succeeds()
    }
    let count = server.files.received.count
    let again = try run(server, "--format=json").exits(0).document()
    #expect(
      again["results"]?.elements.map { $0["outcome"]?.text } == [
        "converted-before", "no-content", "converted-before",
      ])
    #expect(again["results"]?[0]?["path"] == "got/com.example.book")
    #expect(server.files.received.count == count)
    #expect(try work.names(in: "got/.iapkg-import") == ["1.json", "3.json", "lock"])
  }

  @Test func `a dry run reports sizes and writes nothing`() throws {
    let server = try AppStoreServer([
      Purchase(product: "com.example.book", bytes: book, fileName: "../../\u{202E}x.pkg")
    ])
    let before = try work.snapshot()
    let outcome = try run(server, "--dry-run").exits(0)
    #expect(outcome.output.contains("hosted  \(book.count) bytes, ../../\\u{202E}x.pkg, 2014-05-06"))
    let report = try run(server, "--dry-run", "--format=json").exits(0).document()["results"]?[0]
    #expect(report?["outcome"] == "would-convert" && report?["fileSize"]?.integer == Int64(book.count))
    #expect(try work.snapshot() == before && server.files.received.isEmpty)
  }

  @Test func `a dry run refuses the same as a run, and recognizes content of earlier runs`() throws {
    try work.write("mine", to: "got/com.example.mine/notes.txt")
    let server = try AppStoreServer([
      Purchase(id: "1", product: "../evil", bytes: book),
      Purchase(id: "2", product: "com.example.mine", bytes: book),
      Purchase(id: "3", product: "com.example.book", bytes: book),
    ])
    let before = try work.snapshot()
    let planned = try run(server, "--dry-run").exits(76)
    #expect(planned.output.contains("'../evil', which is not a product identifier"))
    #expect(planned.output.contains("the folder is not empty"))
    #expect(planned.output.contains("3 in-app purchases: 2 failed, 1 hosted"))
    #expect(try work.snapshot() == before)
    try run(server).exits(76)
    let after = try work.snapshot()
    let again = try run(server, "--dry-run").exits(76)
    #expect(again.output.contains("converted before"))
    #expect(try work.snapshot() == after)
    try work.makeBook()
    let inner = server.arguments().map { $0 == "got" ? "Book" : $0 }
    try work.iapkg(inner, environment: ["no_proxy": "127.0.0.1"]).fails(
      73, saying: "Book is a content folder")
  }

  @Test func `a refused token is renewed once, then the run fails`() throws {
    let server = try AppStoreServer([Purchase(product: "com.example.book", bytes: book)]) { _, number in
      [1, 3].contains(number) ? AppStoreServer.refusal : nil
    }
    try run(server).exits(0)
    let tokens = server.api.received.map { $0.headers["authorization"] }
    #expect(tokens.count == 4 && Set(tokens).count == 3, "\(tokens)")
    let refusing = try AppStoreServer([]) { request, _ in
      let token = request.headers["authorization"]?.split(separator: " ").last ?? ""
      return ScriptedServer.answer(401, [], #"{"errors":[{"detail":"I do not know \#(token)"}]}"#)
    }
    try run(refusing).fails(77, saying: "refuses the key 2X9R4HXF34 (status 401)")
    #expect(refusing.api.received.count == 2)
    let forbidding = try AppStoreServer([]) { _, _ in
      ScriptedServer.answer(403, [], #"{"errors":[{"title":"This key has the wrong role"}]}"#)
    }
    try work.remove("got")
    try run(forbidding).fails(77, saying: "(status 403): This key has the wrong role")
    #expect(!work.exists("got"))
  }

  @Test func `the run waits for rate limits and temporary errors`() throws {
    let server = try AppStoreServer([Purchase(product: "com.example.book", bytes: book)]) { _, number in
      switch number {
      case 1: ScriptedServer.answer(429, ["X-Rate-Limit: user-hour-lim:3600;user-hour-rem:0;"], "")
      case 2: ScriptedServer.answer(429, ["Retry-After: 0"], "")
      case 3: ScriptedServer.answer(503, [], "later")
      default: nil
      }
    } fileFault: { _, number in
      number == 1 ? ScriptedServer.answer(500, [], "later") : nil
    }
    try run(server).exits(0)
    let used = try AppStoreServer([]) { _, _ in
      ScriptedServer.answer(429, ["X-Rate-Limit: user-hour-lim:3600;user-hour-rem:0;"], "")
    }
    try run(used).fails(69, saying: "status 429", "the quota is renewed")
  }

  @Test func `a next page on another host gets no token`() throws {
    let other = try ScriptedServer { _, _ in ScriptedServer.answer(200, [], "{}") }
    let server = try AppStoreServer([]) { _, _ in
      let document = AppStoreServer.json(["data": [], "links": ["next": "\(other.address)/v1/apps"]])
      return ScriptedServer.answer(200, [], document)
    }
    try run(server).fails(76, saying: "on a host other than")
    #expect(other.received.isEmpty)
    let circle = try AppStoreServer([]) { request, _ in
      ScriptedServer.answer(200, [], AppStoreServer.json(["data": [], "links": ["next": request.path]]))
    }
    try run(circle).fails(76, saying: "leads to itself")
    let moved = try AppStoreServer([]) { _, _ in
      ScriptedServer.answer(302, ["Location: \(other.address)/"], "")
    }
    try run(moved).fails(69, saying: "status 302")
    #expect(other.received.isEmpty)
  }

  @Test func `a failed purchase does not stop the others, and its file is kept`() throws {
    try work.makeBookPackage("Map.pkg", product: "com.example.map")
    let map = try work.bytes("Map.pkg")
    let server = try AppStoreServer([
      Purchase(id: "1", product: "com.example.short", bytes: book, reportedSize: book.count + 1),
      Purchase(id: "2", product: "com.example.long", bytes: book, reportedSize: book.count - 1),
      Purchase(id: "3", product: "com.example.other", bytes: book),
      Purchase(id: "4", product: "com.example.text", bytes: Array("no archive".utf8)),
      Purchase(id: "5", product: "../../up", bytes: book),
      Purchase(id: "6", product: "com.example.huge", bytes: book, reportedSize: 1 << 40),
      Purchase(id: "7", product: "com.example.map", bytes: map),
      Purchase(id: "8", product: "com.example.map", bytes: book),
    ])
    let results = try run(server, "--format=json").exits(76).document()["results"]?.elements ?? []
    #expect(results.map { $0["error"]?["code"]?.integer } == [76, 76, 1, 65, 76, 76, nil, 76])
    #expect(results[2]["error"]?["message"]?.text?.contains("is kept as got/.iapkg-import/3.part") == true)
    #expect(results[4]["productIdentifier"] == "../../up")
    #expect(try work.names(in: "got") == [".iapkg-import", "com.example.map"])
    #expect(try work.names() == ["AuthKey.p8", "Book.pkg", "Map.pkg", "got"])
    #expect(try work.bytes("got/.iapkg-import/3.part") == book)
    let outcome = try run(server).exits(76)
    #expect(outcome.output.contains("8 in-app purchases: 7 failed, 1 converted before"))
    #expect(outcome.output.contains("belongs to the product com.example.book, expected com.example.other"))
  }

  @Test func `an interrupted download resumes in the same run and in the next`() throws {
    let large = Self.largeBook
    let cut: AppStoreServer.Fault = { request, number in
      guard number < 3 else { return nil }
      let whole = AppStoreServer.file(request, [Purchase(product: "", bytes: large)]).bytes
      return ScriptedServer.Reply(Array(whole.prefix(1_200_000)))
    }
    let server = try AppStoreServer([Purchase(product: "com.example.book", bytes: large)], fileFault: cut)
    try run(server).exits(0)
    let ranges = server.files.received.map { $0.headers["range"] != nil }
    #expect(ranges == [false, true, true])

    try work.remove("got")
    let dead = try AppStoreServer([Purchase(product: "com.example.book", bytes: large)]) { _, _ in
      nil
    } fileFault: { request, number in
      number == 1 ? cut(request, number) : ScriptedServer.answer(403, [], "expired")
    }
    try run(dead).exits(77)
    let kept = try work.bytes("got/.iapkg-import/1.part").count
    #expect((1_000_000..<large.count).contains(kept))
    let alive = try AppStoreServer([Purchase(product: "com.example.book", bytes: large)])
    try run(alive).exits(0)
    #expect(alive.files.received.map { $0.headers["range"] } == ["bytes=\(kept)-\(large.count - 1)"])
    #expect(try work.bytes("got/com.example.book/Contents/large.dat") == Self.noise)
  }

  @Test(arguments: [#""b""#, nil])
  func `a changed or unresumable file is downloaded again`(_ tag: String?) throws {
    let large = Self.largeBook
    let purchase = Purchase(product: "com.example.book", bytes: large, tag: tag ?? #""a""#)
    let server = try AppStoreServer(
      [purchase],
      fileFault: { request, _ in
        guard tag == nil, request.headers["range"] != nil else { return nil }
        return ScriptedServer.answer(200, ["ETag: \"a\""], large)
      })
    // The leftovers of a killed run, with wrong bytes.
    try work.write([UInt8](repeating: 1, count: 500_000), to: "got/.iapkg-import/1.part")
    try work.write(
      AppStoreServer.json(["fileSize": large.count, "lastModifiedDate": purchase.date, "tag": "\"a\""]),
      to: "got/.iapkg-import/1.json")
    try run(server).exits(0)
    #expect(server.files.received.count == 2)
    #expect(try work.bytes("got/com.example.book/Contents/large.dat") == Self.noise)
  }

  @Test(arguments: ["mkfifo", "ln mine", "ln -s ../../mine"])
  func `an item in place of a partial file is replaced, and a file that it leads to is unchanged`(
    _ command: String
  ) throws {
    let purchase = Purchase(product: "com.example.book", bytes: book)
    let server = try AppStoreServer([purchase])
    let mine = Array(book.prefix(book.count / 2))
    try work.write(mine, to: "mine")
    let record = ["fileSize": book.count, "lastModifiedDate": purchase.date, "tag": "\"a\""] as [String: Any]
    try work.write(AppStoreServer.json(record), to: "got/.iapkg-import/1.json")
    try work.run(["sh", "-c", "\(command) got/.iapkg-import/1.part"]).exits(0)
    try run(server).exits(0)
    #expect(server.files.received.map { $0.headers["range"] } == [nil])
    #expect(try work.bytes("mine") == mine)
    try work.iapkg("validate", "got/com.example.book").succeeds()
  }

  @Test func `damaged bytes of an earlier run are downloaded again`() throws {
    let purchase = Purchase(product: "com.example.book", bytes: book)
    let server = try AppStoreServer([purchase])
    try work.write([UInt8](repeating: 0, count: book.count), to: "got/.iapkg-import/1.part")
    let record = ["fileSize": book.count, "lastModifiedDate": purchase.date, "tag": "\"a\""] as [String: Any]
    try work.write(AppStoreServer.json(record), to: "got/.iapkg-import/1.json")
    try run(server).exits(0)
    #expect(
      server.files.received.map { $0.headers["range"] } == ["bytes=\(book.count - 1)-\(book.count - 1)", nil])
    try work.iapkg("validate", "got/com.example.book").succeeds()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `an ended run can be resumed, and a running one excludes others`(_ signal: Int32) throws {
    let purchase = Purchase(product: "com.example.book", bytes: Self.largeBook)
    let held = try AppStoreServer(
      [purchase],
      fileFault: { request, _ in
        var reply = Reply(Array(AppStoreServer.file(request, [purchase]).bytes.prefix(2_000_000)))
        reply.isHeld = true
        return reply
      })
    let program = try work.start(
      [BuiltProgram.path] + held.arguments(), environment: ["no_proxy": "127.0.0.1"])
    try Waiting.until {
      ((try? work.bytes("got/.iapkg-import/1.part").count) ?? 0) >= 1_500_000
    }
    try run(held).fails(75, saying: "got/.iapkg-import")
    program.running.send(signal)
    let outcome = try program.outcome()
    #expect(outcome.code == -signal, "\(outcome)")
    let server = try AppStoreServer([purchase])
    try run(server).exits(0)
    #expect(server.files.received.map { $0.headers["range"] != nil } == [true])
    #expect(try work.bytes("got/com.example.book/Contents/large.dat") == Self.noise)
  }

  @Test func `the next run recognizes content of a run that was killed right after it`() throws {
    let server = try AppStoreServer([Purchase(product: "com.example.book", bytes: book)])
    try run(server).exits(0)
    try work.write(book, to: "got/.iapkg-import/1.part")
    #expect(try run(server).exits(0).output.contains("1 converted before"))
    #expect(!work.exists("got/.iapkg-import/1.part"))
    // The state of a run that was killed before it renamed the folder.
    try work.remove("got/com.example.book")
    try work.write(book, to: "got/.iapkg-import/1.part")
    #expect(try run(server).exits(0).output.contains("1 converted"))
    #expect(server.files.received.count == 1)
    try work.iapkg("validate", "got/com.example.book").succeeds()
  }

  @Test func `an expired download address is requested again`() throws {
    let server = try AppStoreServer(
      [Purchase(product: "com.example.book", bytes: book)],
      fileFault: { _, number in
        number == 1 ? ScriptedServer.answer(403, [], "expired") : nil
      })
    try run(server).exits(0)
    let paths = server.files.received.map(\.path)
    #expect(paths.count == 2 && paths[0] != paths[1])
  }

  @Test func `an existing folder is never replaced`() throws {
    try work.write("mine", to: "got/com.example.book/notes.txt")
    let server = try AppStoreServer([Purchase(product: "com.example.book", bytes: book)])
    #expect(try run(server).exits(73).output.contains("the folder is not empty"))
    #expect(try work.names(in: "got/com.example.book") == ["notes.txt"])
    #expect(server.files.received.isEmpty)
  }

  @Test func `a key file that others can read is a warning, and an invalid key is refused`() throws {
    let server = try AppStoreServer([])
    try work.setPermissions(0o644, of: "AuthKey.p8")
    try run(server).exits(0, saying: "other users may read the key file")
    try work.write("no key at all", to: "AuthKey.p8", permissions: 0o600)
    let outcome = try run(server).fails(64, saying: "AuthKey.p8 is not a key of the App Store Connect API")
    #expect(!outcome.errors.contains("no key at all"))
    try work.remove("AuthKey.p8")
    try run(server).fails(66, saying: "AuthKey.p8")
  }

  @Test func `options that cannot be combined are refused`() throws {
    let server = try AppStoreServer([])
    for words in [
      ["Book.pkg"], ["-o", "x.pkg"], ["--target", "a"], ["--force"], ["--app", "1/2"], ["--key-id", ""],
    ] {
      try work.iapkg(server.arguments() + words).fails(64)
    }
    try work.iapkg("import").fails(64, saying: "give a source, or --from-app-store-connect")
    try work.iapkg("import", "Book.pkg", "--app", "1").fails(
      64, saying: "--app is for --from-app-store-connect")
    try work.iapkg("import", "--from-app-store-connect", "--app=1").fails(64, saying: "requires --key-id")
    try work.iapkg(server.arguments() + ["--api-url", "http://example.com"]).fails(
      64, saying: "expected https")
    #expect(server.api.received.isEmpty)
  }
}

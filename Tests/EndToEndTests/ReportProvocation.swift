import PackageForge

/// The smallest input that breaks one rule, for each rule that `validate` applies.
struct ReportProvocation: Sendable {
  let rule: String
  /// Modifies a valid package.
  fileprivate let spoil: @Sendable (inout ForgedArchive) -> Void
  /// Changes the bytes of the package.
  fileprivate let cut: @Sendable ([UInt8]) -> [UInt8]
  fileprivate let fileExtension: String

  private init(
    _ rule: String, fileExtension: String = "pkg", cut: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
  ) {
    self.rule = rule
    self.fileExtension = fileExtension
    self.cut = cut
    spoil = { _ in }
  }

  private init(_ rule: String, spoil: @escaping @Sendable (inout ForgedArchive) -> Void) {
    self.rule = rule
    fileExtension = "pkg"
    cut = { $0 }
    self.spoil = spoil
  }

  private init(_ rule: String, _ entry: ForgedEntry...) {
    self.init(rule, spoil: { $0.entries += entry })
  }

  private init(_ rule: String, manifest: String) {
    self.init(rule, spoil: { $0.entries[0] = .file("ContentInfo.plist", manifest) })
  }

  /// The name of the package that `write` creates.
  var name: String { rule.replacing("/", with: "-") + "." + fileExtension }

  /// Writes the package.
  func write(in work: Workspace) throws {
    var archive = ForgedArchive.book()
    spoil(&archive)
    try work.write(cut(archive.bytes()), to: name)
  }

  /// Rules that no package can break by itself: `diff` and `publish` apply them, only content folders have a budget,
  /// 2 GiB are too large for a test, and asset packs are not packages.
  static let others: Set = [
    "version/not-raised", "version/already-published", "size/near-limit", "size/over-budget",
    "asset-pack/manifest", "asset-pack/identifier", "asset-pack/selector", "asset-pack/collision",
    "asset-pack/policy", "asset-pack/limit",
  ]

  static let all: [ReportProvocation] = archive + layout + manifest + path + link + file

  private static let stored = "Contents/pages/one.txt"
  private static let deflated = "Contents/cover.txt"

  private static let archive = [
    Self("archive/not-a-zip", cut: { _ in Array("this is no archive, only some text".utf8) }),
    Self("archive/truncated", cut: { Array($0.dropLast(30)) }),
    Self("archive/end-record") { $0.suffix = [0] },
    Self("archive/entry-count") { $0.end.entries = 3 },
    Self("archive/directory-size") { $0.end.directorySize = 9 },
    Self("archive/directory-record") { $0[stored].central.signature ^= 1 },
    Self("archive/zip64") { $0[stored].central.size = .max },
    Self("archive/multi-disk") { $0.end.disk = 1 },
    Self("archive/local-mismatch") { $0[stored].local.name = Array("Contents/pages/two.txt".utf8) },
    Self("archive/overlap") { $0[stored].central.offset = 0 },
    Self("archive/gap") { $0[stored].gapAfter = [1, 2, 3] },
    Self("archive/method") { $0[stored].method = 12 },
    Self("archive/encrypted") { $0[stored].flags |= 1 },
    Self("archive/flags") { $0[stored].flags |= 1 << 5 },
    Self("archive/descriptor") { $0[deflated].descriptor?.crc32 = 1 },
    Self("archive/size-mismatch") { $0[deflated].size = 3 },
    Self("archive/checksum") { $0[stored].crc32 ^= 1 },
    Self("archive/extra-field") { $0[stored].extra = [ForgedExtra(0x5455, [1], length: 9)] },
    Self("archive/comment") { $0.end.comment = [0x68, 0x69] },
    Self("archive/unflagged-name") {
      $0.add(.file("Contents/é", "x"))
      $0["Contents/é"].flags = 0
    },
  ]

  private static let layout = [
    Self("package/extension", fileExtension: "zip"),
    Self("package/root-item", .file("README", "x")),
    Self("package/contents-missing") { $0.entries = [$0.entries[0]] },
    Self("package/contents-empty") { $0.entries = [$0.entries[0], .folder("Contents/")] },
    Self("size/over-limit") { $0.add(.zeros("Contents/zeros", count: 3_000_000)) },
  ]

  private static let manifest = [
    Self("manifest/missing") { $0.entries.removeFirst() },
    Self("manifest/not-a-file") { $0.entries[0] = .folder("ContentInfo.plist/") },
    Self("manifest/unreadable", manifest: "<plist><dict></plist>"),
    Self(
      "manifest/unsafe-xml",
      manifest: "<!DOCTYPE plist [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><plist><dict/></plist>"),
    Self("manifest/duplicate-key", manifest: plist(version + version)),
    Self("manifest/missing-key", manifest: plist(version)),
    Self("manifest/wrong-type", manifest: plist("<key>ContentVersion</key><real>1.1</real>")),
    Self("manifest/product-identifier", manifest: ForgedArchive.manifest("../evil", "1.0")),
    Self("manifest/content-version", manifest: ForgedArchive.manifest("a", "1.0-beta")),
    Self("manifest/leading-zero", manifest: ForgedArchive.manifest("a", "1.01")),
    Self("manifest/misspelled-key", manifest: plist("<key>IAPProductionIdentifier</key><string>a</string>")),
    Self("manifest/binary") { $0.entries[0] = .file("ContentInfo.plist", emptyBinaryList) },
  ]

  private static let path = [
    Self("path/traversal", .file("Contents/../a", "x")),
    Self("path/absolute", .file("/a", "x")),
    Self("path/empty", .file("Contents//a", "x")),
    Self("path/characters", .file("Contents/a\\b", "x")),
    Self("path/encoding") {
      $0.add(.file("Contents/a", "x"))
      $0["Contents/a"].name = Array("Contents/".utf8) + [0xFF]
    },
    Self("path/duplicate", .file(deflated, "x")),
    Self("path/collision", .file("Contents/COVER.txt", "x")),
    Self("path/file-and-folder", .file("Contents/cover.txt/a", "x")),
    Self("path/too-long", .file("Contents/" + String(repeating: "a", count: 300), "x")),
    Self("path/confusing", .file("Contents/a\u{202E}b", "x")),
  ]

  private static let link = [
    Self("link/absolute", .link("Contents/a", to: "/etc")),
    Self("link/escapes", .link("Contents/a", to: "../../b")),
    Self("link/loop", .link("Contents/a", to: "a")),
    Self("link/target", .link("Contents/a", to: "")),
    Self("link/through-link", .link("Contents/a", to: "pages"), .file("Contents/a/b", "x")),
    Self("link/forbidden-place") { $0.entries = [$0.entries[0], .link("Contents", to: "Other")] },
    Self("link/dangling", .link("Contents/a", to: "missing")),
  ]

  private static let file = [
    Self("file/executable-code", .file("Contents/a", elf)),
    Self("file/executable-bundle", .file("Contents/Helper.app/Contents/MacOS/Helper", "x")),
    Self(
      "file/nested-executable",
      .file("Contents/a.zip", ForgedArchive([.file("a", elf)]).bytes())),
    Self("file/nested-archive", .file("Contents/a.zip", Array(ForgedArchive.book().bytes().dropLast(9)))),
    Self("file/script", .file("Contents/a.sh", "echo")),
    Self("file/possible-code", .file("Contents/a", "MZ")),
    Self("file/secret", .file("Contents/.netrc", "x")),
    Self("file/special") {
      $0.add(.file("Contents/a", ""))
      $0["Contents/a"].mode = 0o010644
    },
    Self("file/set-id", .file("Contents/a", "x", permissions: 0o4755)),
    Self("file/executable-permission", .file("Contents/a", "x", permissions: 0o755)),
    Self("file/odd-permission", .file("Contents/a", "x", permissions: 0o044)),
    Self("file/junk", .file("Contents/.DS_Store", "x")),
  ]

  private static let version = "<key>ContentVersion</key><string>1.0</string>"
  private static func plist(_ entries: String) -> String {
    "<plist version=\"1.0\"><dict>\(entries)</dict></plist>"
  }

  /// The header of a 64-bit program for x86-64 (ELF, System V ABI).
  private static let elf: [UInt8] =
    [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + Array(repeating: 0, count: 9) + [2, 0, 0x3E, 0, 1, 0, 0, 0]
    + Array(repeating: 0, count: 40)

  /// An empty dictionary: header, one object, its offset, the trailer (CFBinaryPList.c).
  private static let emptyBinaryList: [UInt8] =
    Array("bplist00".utf8) + [0xD0, 8] + Array(repeating: 0, count: 6) + [1, 1]
    + Array(repeating: 0, count: 7)
    + [1] + Array(repeating: 0, count: 15) + [9]
}

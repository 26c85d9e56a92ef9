import Foundation
import PackageForge
import TestSupport
import Testing

/// A memory limit that does not depend on the machine: the peak memory for one more entry of a package.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3 is not installed"))
struct MemoryTests {
  private static let few = 2_000
  private static let many = 14_000
  /// 100,000 entries of 400 bytes and the 24 MB of an idle program make 64 MB. A debug build may take 100 bytes more.
  private static let maximumBytesPerEntry = 500

  /// Starts a program with its output discarded, and prints its peak memory in kilobytes. The peak of a program starts
  /// at that of its parent, which therefore must not be the test process. Huge pages are disabled (PR_SET_THP_DISABLE,
  /// prctl(2)): with them, one more byte can cost two megabytes.
  private static let measuring = """
    import ctypes, os, sys
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)
    child = os.fork()
    if child == 0:
        os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
        os.execv(sys.argv[1], sys.argv[1:])
    _, status, usage = os.wait4(child, 0)
    print(usage.ru_maxrss)
    sys.exit(os.waitstatus_to_exitcode(status))
    """

  static func peak(of arguments: [String], in work: Workspace, exits code: Int32) throws -> Int {
    let outcome = try work.run([Python.path, "-S", "-c", measuring, BuiltProgram.path] + arguments)
    #expect(outcome.code == code, "\(outcome)")
    return try #require(Int(outcome.output.split(separator: "\n").last ?? ""), "\(outcome)") * 1024
  }

  /// Checks the cost of one more entry, as the difference of two runs, so that the program itself does not count.
  ///
  /// The scheduling of threads changes a peak by up to 700 kB. A command that can be repeated runs `runs` times, and its
  /// smallest peak counts.
  private static func expectFrugality(
    in work: Workspace, counts: [Int] = [few, many], exits code: Int32 = 0,
    maximum: Int = maximumBytesPerEntry,
    runs: Int = 1, _ arguments: (Int) -> [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let peaks = try counts.map { count in
      try (0..<runs).map { _ in try peak(of: arguments(count), in: work, exits: code) }.min() ?? 0
    }
    let cost = (peaks[1] - peaks[0]) / (counts[1] - counts[0])
    #expect(cost < maximum, "\(arguments(counts[1])): \(peaks)", sourceLocation: sourceLocation)
  }

  /// Returns names of 125 bytes, the maximum average for 100,000 names.
  private func names(_ count: Int, _ letter: String) -> [String] {
    (0..<count).map { number in
      let name = "Contents/folder-\(number / 100)/\(number)-"
      return name + String(repeating: letter, count: 125 - name.utf8.count)
    }
  }

  /// Writes two versions of a package, `old` and `new`, without a common file name.
  private func writePackages(in work: Workspace) throws {
    for count in [Self.few, Self.many] {
      try work.write(LargeArchive.bytes(names(count, "a")), to: "old-\(count).pkg")
      try work.write(LargeArchive.bytes(names(count, "b"), version: "2.0"), to: "new-\(count).pkg")
    }
  }

  @Test func `checking, listing, comparing and copying take little memory for each entry`() throws {
    let work = try Workspace()
    try writePackages(in: work)
    try Self.expectFrugality(in: work, runs: 3) { ["validate", "old-\($0).pkg", "--jobs", "1"] }
    try Self.expectFrugality(in: work, runs: 3) { ["info", "--files", "--format", "json", "old-\($0).pkg"] }
    try Self.expectFrugality(in: work, runs: 3) {
      ["diff", "--format", "json", "old-\($0).pkg", "new-\($0).pkg"]
    }
    try Self.expectFrugality(in: work) { ["bump", "old-\($0).pkg", "-o", "bumped-\($0).pkg"] }
  }

  @Test func `packing, installing, updating and repairing take little memory for each file`() throws {
    let work = try Workspace()
    try writePackages(in: work)
    func place(_ count: Int) -> [String] { ["--into", "Documents-\(count)"] }
    func installing(_ name: String, _ options: String...) -> (Int) -> [String] {
      { ["extract", "\(name)-\($0).pkg", "--no-sync", "--jobs", "1"] + place($0) + options }
    }
    try Self.expectFrugality(in: work, installing("old"))
    try Self.expectFrugality(in: work, runs: 4) {
      [
        "create", "--contents", "Documents-\($0)/com.example.book", "--product-id", "com.example.book",
        "--content-version", "1.0", "-o", "\($0).pkg", "--jobs", "1", "--force",
      ]
    }
    // A dry run has the items before and after the update at the same time.
    try Self.expectFrugality(
      in: work, maximum: 580, runs: 5, installing("new", "--dry-run", "--format", "json"))
    try Self.expectFrugality(in: work, installing("new"))
    for count in [Self.few, Self.many] { try work.remove("Documents-\(count)/com.example.book") }
    try Self.expectFrugality(in: work, installing("new", "--repair"))
    try Self.expectFrugality(in: work, runs: 3) { ["status", "--verify"] + place($0) }
    try Self.expectFrugality(in: work) { ["rollback", "com.example.book", "--no-sync"] + place($0) }
  }

  @Test func `names in a single folder take as little memory`() throws {
    let work = try Workspace()
    for count in [Self.few, Self.many] {
      for (name, version) in [("a", "1.0"), ("b", "2.0")] {
        let folder = "\(name)-\(count)"
        try work.makeBook(folder, version: version)
        for number in 0..<count {
          let file = "\(folder)/Contents/\(number)-" + String(repeating: name, count: 110)
          try #require(FileManager.default.createFile(atPath: work.place(file), contents: nil))
        }
        try work.iapkg("create", folder, "-o", "\(folder).pkg", "--jobs", "1").exits(0)
      }
    }
    // Index pages that contain no known file take some of these bytes.
    try Self.expectFrugality(in: work, maximum: 560, runs: 4) { ["diff", "a-\($0)", "b-\($0)"] }
    for name in ["a", "b"] {
      try Self.expectFrugality(in: work, maximum: 480) {
        ["extract", "\(name)-\($0).pkg", "--into", "Documents-\($0)", "--no-sync", "--jobs", "1"]
      }
    }
  }

  @Test func `publishing, fetching and verifying a store take little memory for each file`() throws {
    let work = try Workspace()
    try writePackages(in: work)
    for name in ["old", "new"] {
      try Self.expectFrugality(in: work) {
        ["publish", "\(name)-\($0).pkg", "--to", "store-\($0)", "--jobs", "1"]
      }
      try Self.expectFrugality(in: work) {
        [
          "fetch", "com.example.book", "--from", "store-\($0)", "--into", "Documents-\($0)", "--no-sync",
          "--jobs", "1",
        ]
      }
    }
    // Two versions are read at once, block by block.
    try Self.expectFrugality(in: work, runs: 3) { ["catalog", "verify", "--deep", "--from", "store-\($0)"] }
  }

  @Test func `reports and releases take as little memory if no name is in the old version`() throws {
    let work = try Workspace()
    // With so many entries, the names are in a temporary file and no longer in memory. A list of the old names would
    // take another hundred bytes per entry.
    let counts = [20_000, 32_000]
    for count in counts {
      try work.write(LargeArchive.bytes(names(count, "a")), to: "old-\(count).pkg")
      try work.iapkg("publish", "old-\(count).pkg", "--to", "store-\(count)").exits(0)
      try work.makeBook("new-\(count)", version: "2.0")
      for number in 0..<count {
        let file = "new-\(count)/Contents/\(number)-" + String(repeating: "b", count: 110)
        try #require(FileManager.default.createFile(atPath: work.place(file), contents: nil))
      }
    }
    // 325 bytes for the names, eight for the compressed size and the checksum of each file, and some for the pages of the
    // index.
    for old in ["old-%.pkg", "store-%"] {
      try Self.expectFrugality(in: work, counts: counts, maximum: 345, runs: 4) {
        let old = old.replacingOccurrences(of: "%", with: "\($0)")
        return ["report", "new-\($0)", "--against", old, "-o", "page.html", "--force", "--jobs", "1"]
      }
    }
    try Self.expectFrugality(in: work, counts: counts, runs: 3) {
      ["release", "new-\($0)", "--to", "store-\($0)", "--dry-run", "--jobs", "1"]
    }
  }

  @Test func `an update of thousands of equal files takes little memory`() throws {
    let work = try Workspace()
    for version in ["1.0", "2.0"] {
      try work.makeBook("Book", version: version)
      for number in 0..<4_000 { try work.write("equal", to: "Book/Contents/\(version)/\(number)") }
      try work.iapkg("create", "Book", "-o", "\(version).pkg").exits(0)
      try work.iapkg("publish", "\(version).pkg", "--to", "store").exits(0)
      try work.remove("Book")
      if version == "1.0" {
        try work.iapkg("fetch", "com.example.book", "--from", "store", "--no-sync").exits(0)
      }
    }
    #expect(try Self.peak(of: ["outdated"], in: work, exits: 0) < 64_000_000)
    #expect(try Self.peak(of: ["update", "--no-sync"], in: work, exits: 0) < 64_000_000)
  }

  /// Writes an installer package whose payload has one file of `count` zeros.
  private static let writingInstaller = """
    import sys, zlib
    count, manifest = int(sys.argv[1]), sys.argv[2].encode()
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    payload = bytearray()
    def entry(name, mode, size):
        head = "070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o" % (0, 0, mode, 0, 0, 1, 0, 0, len(name) + 1, size)
        payload.extend(packer.compress(head.encode() + name.encode() + b"\\0"))
    entry("./ContentInfo.plist", 0o100644, len(manifest))
    payload.extend(packer.compress(manifest))
    entry("./Contents", 0o040755, 0)
    entry("./Contents/large.dat", 0o100644, count)
    block = bytes(1 << 20)
    for start in range(0, count, len(block)):
        payload.extend(packer.compress(block[:count - start]))
    entry("TRAILER!!!", 0, 0)
    payload.extend(packer.flush())
    table = zlib.compress(("<xar><toc><file id='1'><name>Payload</name><type>file</type><data><length>%d</length>"
        "<offset>0</offset><size>%d</size><encoding style='application/octet-stream'/></data></file></toc></xar>"
        % (len(payload), len(payload))).encode())
    size = len(zlib.decompress(table))
    head = b"xar!" + (28).to_bytes(2, "big") + (1).to_bytes(2, "big") + len(table).to_bytes(8, "big")
    sys.stdout.buffer.write(head + size.to_bytes(8, "big") + bytes(4) + table + payload)
    """

  @Test func `a large payload is imported with little memory`() throws {
    let work = try Workspace()
    let manifest = ForgedArchive.manifest("com.example.book", "1.0")
    let made = try work.run(
      [Python.path, "-S", "-c", Self.writingInstaller, "\(1 << 28)", manifest], output: work.place("Old.pkg"))
    #expect(made.code == 0, "\(made)")
    #expect(try Self.peak(of: ["import", "Old.pkg", "-o", "New.pkg"], in: work, exits: 0) < 64_000_000)
    try work.remove("New.pkg")
  }

  @Test func `paths with very many folders are refused with little memory`() throws {
    let work = try Workspace()
    let folders = String(repeating: "d/", count: 61)
    for count in [Self.few, Self.many] {
      try work.write(
        LargeArchive.bytes((0..<count).map { "Contents/\($0)/\(folders)f" }), to: "\(count).pkg")
    }
    for command in ["validate", "extract"] {
      try Self.expectFrugality(in: work, exits: 1) { [command, "\($0).pkg"] }
    }
  }

  @Test func `a report on invalid names takes little memory for each entry`() throws {
    let work = try Workspace()
    for count in [Self.few, Self.many] {
      let names = (0..<count).map { "Contents/\u{202E}Folder \($0 / 2) /bad \($0 % 2) \\ name " }
      try work.write(LargeArchive.bytes(names), to: "\(count).pkg")
    }
    try Self.expectFrugality(in: work, exits: 1, runs: 3) { ["validate", "--format", "json", "\($0).pkg"] }
  }
}

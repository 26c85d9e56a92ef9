import Foundation
import TestSupport
import Testing

/// A speed limit that needs no clock: the number of system calls for a file, and how often its bytes are read and
/// written.
@Suite(.waiting, .enabled(if: Trace.isPossible, "strace is not installed, or is not permitted to trace"))
struct CountedWorkTests {
  private static let fileSize = 256 * 1024
  private static let few = 10
  private static let many = 50

  /// Creates a folder of `count` incompressible files, ten per subfolder.
  private static func makeContents(_ count: Int, in work: Workspace) throws {
    for number in 0..<count {
      try work.write(Noise.bytes(fileSize), to: "Contents\(count)/folder-\(number / 10)/file-\(number)")
    }
  }

  /// Returns the cost of one more file, as the difference of two runs, so that startup does not count.
  private static func costOfAFile(_ words: (Int) -> [String]) throws -> (
    calls: Double, read: Double, written: Double
  ) {
    let work = try Workspace()
    for count in [few, many] {
      try makeContents(count, in: work)
      try work.iapkg(
        "create", "--contents", "Contents\(count)", "--product-id", "com.example.n\(count)",
        "--content-version",
        "1.0", "-o", "\(count).pkg"
      ).succeeds()
    }
    let (small, large) = (try Trace(words(few), in: work), try Trace(words(many), in: work))
    let files = Double(many - few)
    let bytes = files * Double(fileSize)
    return (
      Double(large.calls - small.calls) / files, Double(large.bytesRead - small.bytesRead) / bytes,
      Double(large.bytesWritten - small.bytesWritten) / bytes
    )
  }

  @Test func `packing reads each byte once, and the start and the end of each file again`() throws {
    let cost = try Self.costOfAFile { count in
      [
        "create", "--contents", "Contents\(count)", "--product-id", "com.example.n", "--content-version",
        "1.0",
        "-o", "new-\(count).pkg", "--jobs", "1",
      ]
    }
    #expect(cost.calls < 16)
    #expect(cost.read < 1.3)
    #expect(cost.written < 1.01)
  }

  @Test func `checking reads each byte once, and writes none`() throws {
    let cost = try Self.costOfAFile { ["validate", "\($0).pkg", "--jobs", "1"] }
    #expect(cost.calls < 4.5)
    #expect(cost.read < 1.1)
    #expect(cost.written < 0.01)
  }

  @Test func `installing reads and writes each byte once`() throws {
    let cost = try Self.costOfAFile { ["extract", "\($0).pkg", "--no-sync", "--jobs", "1"] }
    #expect(cost.calls < 9)
    #expect(cost.read < 1.1)
    #expect(cost.written < 1.02)
  }

  @Test func `raising a version lets the kernel copy the content`() throws {
    let cost = try Self.costOfAFile { ["bump", "\($0).pkg", "-o", "bumped-\($0).pkg"] }
    #expect(cost.calls < 1.2)
    #expect(cost.read < 0.1)
  }

  @Test func `no call copies more than 8 MiB, because it delays an interruption`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 40 << 20)
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--compression", "store").succeeds()
    #expect(try Trace(["bump", "Book.pkg"], in: work).maximumWriteByteCount <= 8 << 20)
  }
}

/// The system calls of one single-threaded run of the built program.
private struct Trace {
  private(set) var calls = 0
  private(set) var bytesRead = 0
  private(set) var bytesWritten = 0
  private(set) var maximumWriteByteCount = 0

  static let isPossible: Bool = {
    guard let work = try? Workspace() else { return false }
    return (try? work.run(["strace", "-f", "-o", "/dev/null", "true"]).code) == 0
  }()

  init(_ words: [String], in work: Workspace) throws {
    let log = work.place("calls-\(UUID().uuidString)")
    try work.iapkg(words, through: ["strace", "-f", "-o", log]).succeeds()
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") { count(line) }
  }

  /// Counts a line such as `17 read(3, ""..., 10) = 4`, or one that another thread's call splits in two: `17 read(3,
  /// <unfinished ...>`, `17 <... read resumed>""..., 10) = 4`.
  private mutating func count(_ line: Substring) {
    let isResumed = line.contains(" resumed>")
    let name =
      isResumed
      ? line.split(separator: " ").dropFirst(2).first
      : line.split(separator: "(").first?.split(separator: " ").last
    // The number of times that threads wait for one another depends on the machine.
    guard let name, name != "futex", !line.contains("+++"), !line.contains("---") else { return }
    if !isResumed { calls += 1 }
    guard !line.hasSuffix("<unfinished ...>"), let result = line.split(separator: "= ").last,
      let bytes = Int(result.prefix { $0.isNumber })
    else { return }
    switch name {
    case "read", "pread64": bytesRead += bytes
    case "write", "pwrite64", "copy_file_range":
      bytesWritten += bytes
      maximumWriteByteCount = max(maximumWriteByteCount, bytes)
    default: break
    }
  }
}

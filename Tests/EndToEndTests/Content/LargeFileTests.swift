import PackageForge
import Testing

/// Files that are deflated in chunks and decoded by segments.
@Suite(.waiting) struct LargeFileTests {
  /// About 9 MB: numbers of different lengths as text, and noise after about every third.
  private static let content: [UInt8] = {
    var bytes: [UInt8] = []
    var state: UInt64 = 1
    while bytes.count < 9_000_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes += "\(state >> 40), once upon a time, ".utf8
      if state >> 60 < 5 {
        bytes += stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: state >> $0) }
      }
    }
    return bytes
  }()
  private static let file = "Contents/large.txt"

  private func makePackage(in work: Workspace, _ options: String...) throws {
    try work.makeBook()
    try work.write(Self.content, to: "Book/\(Self.file)")
    try work.iapkg(["create", "Book", "-o", "Book.pkg"] + options).succeeds()
  }

  /// The extra field of the large file in the central directory; the file's name is at 42 without the offset.
  private func field(of package: String, in work: Workspace) throws -> [UInt8] {
    let entry = try #require(try RawPackage(work.bytes(package))[Self.file])
    return Array(entry.record.dropFirst(42 + Self.file.utf8.count))
  }

  @Test func `large files have the same bytes for any number of jobs`() throws {
    let work = try Workspace()
    try makePackage(in: work, "--jobs", "1")
    for jobs in ["2", "8"] {
      try work.iapkg("create", "Book", "-o", "\(jobs).pkg", "--jobs", jobs).succeeds()
      #expect(try work.bytes("\(jobs).pkg") == work.bytes("Book.pkg"))
    }
  }

  @Test func `large files are listed with their segments, which bump keeps`() throws {
    let work = try Workspace()
    try makePackage(in: work)
    let field = try field(of: "Book.pkg", in: work)
    #expect(field.starts(with: [0x69, 0x6B]) && field.count > 5 + 5 * 8)
    let old = try #require(try RawPackage(work.bytes("Book.pkg"))[Self.file])
    try work.iapkg("bump", "Book.pkg").succeeds()
    #expect(try RawPackage(work.bytes("Book.pkg"))[Self.file] == old)
    try work.iapkg("validate", "Book.pkg").succeeds()
  }

  @Test(arguments: ["1", "2", "8"])
  func `large files are installed and checked the same for any number of jobs`(_ jobs: String) throws {
    let work = try Workspace()
    try makePackage(in: work)
    try work.iapkg("validate", "Book.pkg", "--jobs", jobs).succeeds()
    try work.iapkg("extract", "Book.pkg", "--into", "Documents", "--jobs", jobs, "--no-sync").succeeds()
    #expect(try work.bytes("Documents/com.example.book/large.txt") == Self.content)
  }

  @Test(arguments: ["1", "2", "8"])
  func `damaged large files are not installed, for any number of jobs`(_ jobs: String) throws {
    let work = try Workspace()
    try makePackage(in: work)
    var bytes = try work.bytes("Book.pkg")
    bytes[bytes.count / 2] ^= 0x10
    try work.write(bytes, to: "Book.pkg")
    let rules = try work.rules(in: "Book.pkg", "--jobs", jobs)
    #expect(rules == ["archive/checksum"] || rules == ["archive/size-mismatch"])
    try work.iapkg("extract", "Book.pkg", "--into", "Documents", "--jobs", jobs).exits(1)
    #expect(!work.exists("Documents/com.example.book"))
  }

  @Test func `large files that do not become smaller are stored without segments`() throws {
    let work = try Workspace()
    try work.makeBook()
    let noise = Noise.bytes(5_000_000)
    try work.write(noise, to: "Book/\(Self.file)")
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--compression", "best").succeeds()
    let entry = try #require(try RawPackage(work.bytes("Book.pkg"))[Self.file])
    #expect(entry.method == 0 && entry.bytes.suffix(noise.count) == noise[...])
    #expect(try field(of: "Book.pkg", in: work).isEmpty)
    try work.iapkg("validate", "Book.pkg").succeeds()
  }

  /// Programs that write the large file to `out/Contents/large.txt`.
  static let readers: [[String]] = [
    ["unzip", "-q", "Book.pkg", "-d", "out"], ["7z", "x", "-tzip", "-bd", "-oout", "Book.pkg"],
    ["bsdtar", "-x", "-C", "out", "-f", "Book.pkg"], [Python.path, "-m", "zipfile", "-e", "Book.pkg", "out"],
  ]
  /// The two readers of Java: by the central directory, and as a stream.
  private static let java = """
    import java.io.*;
    import java.nio.file.*;
    import java.util.zip.*;

    class Extract {
      public static void main(String[] arguments) throws Exception {
        byte[] content;
        try (ZipFile zip = new ZipFile("Book.pkg")) {
          content = zip.getInputStream(zip.getEntry("\(file)")).readAllBytes();
        }
        Files.createDirectories(Path.of("out/Contents"));
        Files.write(Path.of("out/\(file)"), content);
        try (ZipInputStream stream = new ZipInputStream(new FileInputStream("Book.pkg"))) {
          for (ZipEntry entry; (entry = stream.getNextEntry()) != null; ) {
            if (!entry.getName().equals("\(file)")) continue;
            if (!java.util.Arrays.equals(stream.readAllBytes(), content)) System.exit(1);
          }
        }
      }
    }
    """

  @Test(arguments: readers)
  func `other programs read large files`(_ reader: [String]) throws { try expectContent(from: reader) }

  @Test(.enabled(if: Machine.has("java"), "java is not installed"))
  func `Java reads large files`() throws { try expectContent(from: ["java", "Extract.java"]) }

  private func expectContent(from reader: [String]) throws {
    let work = try Workspace()
    try makePackage(in: work)
    try work.makeFolder("out")
    try work.write(Self.java, to: "Extract.java")
    try work.run(reader).exits(0)
    #expect(try work.bytes("out/\(Self.file)") == Self.content)
  }
}

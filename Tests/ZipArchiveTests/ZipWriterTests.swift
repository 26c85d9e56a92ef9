#if COMMAND_LINE_TOOL
import PackageForge
import SafeFiles
import Support
import Testing
import ZipArchive

struct ZipWriterTests {
  @Test func `a cancellation ends the copy of a large entry after the current piece`() throws {
    let content = [UInt8](repeating: 7, count: 3 * Int(OutputFile.maximumCopyByteCount))
    let folder = FileSystem.temporaryFolder
    var archive = try StagedOutput.createUnnamed(in: folder)
    try archive.write(unsafe ForgedArchive([.file("Contents/large", content)]).bytes().borrowedSpan.bytes)
    let file = try archive.finishUnnamed(as: "large.pkg")
    let entry = try #require(try ZipStructure.read(from: file).entries.first)
    let cancellation = Cancellation()
    var writer = ZipWriter(
      into: try StagedOutput.createUnnamed(in: folder), spoolFolder: folder, cancellation: cancellation)
    var copiedBytes: Int64 = 0
    try writer.copy(entry, from: file)
    do {
      _ = try writer.finish {
        copiedBytes += $0
        cancellation.cancel()
      }
      Issue.record("the copy was not canceled")
    } catch is Interruption {
      #expect(copiedBytes <= OutputFile.maximumCopyByteCount)
    }
  }
}
#endif

#if !COMMAND_LINE_TOOL
import PackageForge
import SafeFiles
import StrictJSON
import Support
import ZipArchive

@testable import Delivery

/// The publisher's side, which an app does not have.
extension PagedIndex {
  /// Creates the index of a package. Its entries are in offset order.
  init(of entries: some Sequence<IndexEntry>, manifest: [UInt8]) throws {
    var (pages, packed) = ([IndexPage](), [UInt8]())
    func add(_ entries: [IndexEntry]) {
      let bytes = Self.document(entries)
      let page = Deflate.packed(bytes)
      packed += page
      pages.append(
        IndexPage(
          digest: SHA256Digest(of: page), packedSize: UInt32(page.count), size: UInt32(bytes.count),
          entryCount: UInt32(entries.count), offset: UInt64(entries.first?.offset ?? 0)))
    }
    var cutter = PageCutter<IndexEntry>()
    for entry in entries { cutter.append(entry, at: entry.path, add) }
    cutter.finish(add)
    self.init(head: IndexHead(manifest: manifest, pages: pages), pages: MemoryBytes(packed))
  }

  private static func document(_ entries: [IndexEntry]) -> [UInt8] {
    var writer = JSONWriter()
    var end: Int64?
    writer.array { writer in
      for entry in entries {
        writer.object { entry.write(after: end, to: &$0) }
        end = entry.end
      }
    }
    return writer.line()
  }
}
#endif

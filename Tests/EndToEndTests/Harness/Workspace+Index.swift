import ContentPackage
import Delivery
import SafeFiles
import Testing

extension Workspace {
  /// Reads the index of the only release in a folder of a store.
  func publishedIndex(_ folder: String) throws -> PagedIndex {
    func bytes(_ suffix: String) throws -> [UInt8] {
      try self.bytes("\(folder)/\(#require(names(in: folder).first { $0.hasSuffix(suffix) }))")
    }
    let pages = try bytes(".pages")
    return PagedIndex(
      head: try IndexHead(
        bytes: MemoryBytes(bytes(".json")), packageBytes: Limits.maximumBytes, pageBytes: Int64(pages.count)),
      pages: MemoryBytes(pages))
  }
}

import Delivery
import SafeFiles

/// What an object of a store is at this moment, as an answer tells it.
struct ContentState: Equatable {
  let byteCount: Int64
  /// A strong entity tag, with its quotation marks.
  let tag: String
  /// Seconds since 1970-01-01 00:00:00 UTC.
  let modified: Int64
  let contentType: String
  let cacheControl: String

  /// Of a file of a store. What never changes has its tag from the digest in its name, so that servers with copies of a
  /// store agree on it; the catalog's is made of its size and time.
  init(_ path: StorePath, _ status: FileStatus) {
    let time = status.modificationTime
    byteCount = status.size
    modified = time.seconds
    contentType = path.text.hasSuffix(".json") ? "application/json" : "application/octet-stream"
    if path == .catalog {
      cacheControl = "no-cache"
      tag = "\"\(time.seconds)-\(time.nanoseconds)-\(status.size)\""
    } else {
      cacheControl = "public, max-age=31536000, immutable"
      let name = path.text.prefix(upTo: path.text.lastIndex(of: ".") ?? path.text.endIndex)
      let digest = name.split { $0 == "-" || $0 == "/" }.last ?? ""
      tag = "\"\(digest)-\(status.size)\""
    }
  }
}

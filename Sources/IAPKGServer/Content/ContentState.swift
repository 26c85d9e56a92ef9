import Delivery
import SafeFiles

/// The current state of an object, for the header fields of a response.
struct ContentState: Equatable {
  let byteCount: Int64
  /// The strong entity tag, with quotation marks.
  let tag: String
  /// The modification time, in seconds since 1970-01-01 00:00:00 UTC.
  let modified: Int64
  let contentType: String
  let cacheControl: String

  /// Creates the state of an asset pack's archive, which a new archive may replace.
  init(archive status: FileStatus) {
    let time = status.modificationTime
    byteCount = status.size
    modified = time.seconds
    contentType = "application/octet-stream"
    cacheControl = "no-cache"
    tag = "\"\(time.seconds)-\(time.nanoseconds)-\(status.size)\""
  }

  /// Creates the state of a file. The tag of an immutable object contains the digest in its name, so that servers with
  /// copies of a store agree. The tag of an object that changes, such as the catalog, consists of its time and size.
  init(_ path: StorePath, _ status: FileStatus) {
    let time = status.modificationTime
    byteCount = status.size
    modified = time.seconds
    contentType = path.text.hasSuffix(".json") ? "application/json" : "application/octet-stream"
    if path.changes {
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

import SafeFiles
import Support

extension InputFile {
  /// Returns the bytes of the file without a byte order mark.
  ///
  /// - Throws: `CommandFailure` with `.configuration` if the file has more than `limit` bytes, `SourceError` if it
  ///   cannot be read.
  func content(atMost limit: Int) throws -> [UInt8] {
    guard byteCount <= Int64(limit) else {
      throw CommandFailure(
        .configuration,
        "\(String(displaying: path.utf8)) has \(byteCount) bytes, expected at most \(limit)")
    }
    return ByteOrderMark.dropped(from: try bytes(at: 0, count: limit))
  }

  /// Returns the bytes of the file without a byte order mark, if the file is private (`SecretFile.isPrivate`).
  ///
  /// - Throws: The errors of `content(atMost:)`, and `CommandFailure` with `.configuration` if the file is not private.
  func secret(_ name: String, atMost limit: Int) throws -> [UInt8] {
    guard SecretFile.isPrivate(status) else {
      let shown = String(displaying: path.utf8)
      throw CommandFailure(
        .configuration,
        "other users may read \(name) in \(shown), expected a file for its owner only; run 'chmod 600 \(shown)'"
      )
    }
    return try content(atMost: limit)
  }
}

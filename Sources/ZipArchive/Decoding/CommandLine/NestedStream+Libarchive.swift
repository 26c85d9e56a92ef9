#if COMMAND_LINE_TOOL
package import SafeFiles

extension NestedStream {
  /// Decodes at most the first `count` bytes of a compressed stream.
  ///
  /// - Throws: `SourceError` if the source cannot be read.
  package static func beginning(
    of source: any ByteSource, _ method: Method, count: Int
  ) throws(SourceError) -> Beginning {
    let window = EntryWindow(on: source)
    window.showEverything(limitedTo: maximumCompressedSize)
    var bytes: [UInt8] = []
    do throws(ArchiveError) {
      let reader = try unsafe StreamReader.open(window, reading: readFromWindow, method)
      while bytes.count < count {
        let size = bytes.count
        let hasBlock = try reader.next { block in
          let part = block.extracting(first: min(block.byteCount, count - size))
          unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        if !hasBlock { return Beginning(bytes: bytes, isComplete: true, error: nil) }
      }
      return Beginning(bytes: bytes, isComplete: false, error: nil)
    } catch {
      if let error = window.error { throw error }
      return Beginning(bytes: bytes, isComplete: false, error: error.message)
    }
  }
}
#endif

#if !COMMAND_LINE_TOOL
package import SafeFiles

extension NestedStream {
  /// Decodes at most the first `count` bytes of a gzip stream. Other formats cannot be decoded.
  ///
  /// - Throws: `SourceError` if the source cannot be read.
  package static func beginning(
    of source: any ByteSource, _ method: Method, count: Int
  ) throws(SourceError) -> Beginning {
    guard method == .gzip else {
      return Beginning(bytes: [], isComplete: false, error: "this program decodes gzip streams only")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    do throws(StreamError) {
      let part = source.part(0..<min(source.byteCount, maximumCompressedSize))
      let stream = try InflatedStream(SourceStream(part), .gzip)
      var block = bytes
      while filled < count {
        let read = try stream.read(into: &block, count: count - filled)
        guard read > 0 else { return Beginning(bytes: Array(bytes[..<filled]), isComplete: true, error: nil) }
        bytes.replaceSubrange(filled..<filled + read, with: block[..<read])
        filled += read
      }
      return Beginning(bytes: bytes, isComplete: false, error: nil)
    } catch {
      switch error {
      case .source(let error): throw error
      case .damaged(let reason):
        return Beginning(bytes: Array(bytes[..<filled]), isComplete: false, error: reason)
      }
    }
  }
}
#endif

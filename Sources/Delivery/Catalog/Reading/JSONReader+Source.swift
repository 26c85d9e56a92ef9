import SafeFiles
import StrictJSON

extension JSONReader {
  /// Creates a parser that reads the bytes of a source in blocks. The `cause` of its errors is a `SourceError`.
  init(_ source: any ByteSource, limits: JSONLimits) {
    self.init(byteCount: source.byteCount, limits: limits) { try source.bytes(at: $0, count: $1) }
  }
}

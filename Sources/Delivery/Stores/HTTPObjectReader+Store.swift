package import HTTPTransport

extension HTTPObjectReader: ObjectReader {
  /// Creates a reader of a store object. The reader throws transport errors as `StoreError`.
  convenience init(
    _ range: Range<Int64>?, ofObjectAt place: String, byteCount: Int64?, by client: HTTPClient,
    open: @escaping (Range<Int64>?) throws -> HTTPResponse
  ) {
    self.init(
      range, of: place, byteCount: byteCount, kind: StorePath.kind(ofObjectAt: place), by: client,
      translatingErrors: { StoreError($0, place) }, open: open)
  }
}

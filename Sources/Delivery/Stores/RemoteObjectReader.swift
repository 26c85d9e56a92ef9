import HTTPTransport
import Support

/// Reads an object of a store over the network.
final class RemoteObjectReader: ObjectReader {
  private let name: String
  /// Nil for an empty range.
  private let reader: HTTPObjectReader?

  /// Creates a reader with the parameters of `HTTPObjectReader`.
  init(
    _ range: Range<Int64>?, of name: String, byteCount: Int64?, by client: HTTPClient,
    open: @escaping (Range<Int64>?) throws -> HTTPAnswer
  ) {
    self.name = name
    reader =
      range?.isEmpty == true
      ? nil
      : HTTPObjectReader(
        range, of: name, byteCount: byteCount, kind: StorePath.kind(ofObjectAt: name), by: client, open: open)
  }

  var contentEncoding: String? { reader?.contentEncoding }

  func next(_ buffer: inout [UInt8]) throws -> Bool {
    do {
      return try reader?.next(&buffer) ?? false
    } catch let error as HTTPError {
      throw StoreError(error, name)
    }
  }
}

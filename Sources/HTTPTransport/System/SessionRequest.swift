#if !COMMAND_LINE_TOOL
internal import Foundation
import SafeFiles
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Translates requests for URLSession.
enum SessionRequest {
  /// The maximum size of a request body, which URLSession keeps in memory.
  private static let maximumBodySize = 64 << 20

  static func make(_ exchange: HTTPExchange) throws(HTTPError) -> URLRequest {
    let request = exchange.request
    guard let url = URL(string: request.address.text, encodingInvalidCharacters: false) else {
      throw HTTPError(.invalidRequest, "\(request.address) cannot be used as an address")
    }
    var result = URLRequest(url: url)
    result.httpMethod = request.method.rawValue
    for header in request.headers {
      guard header.isValid else {
        throw HTTPError(
          .invalidRequest, "the header '\(header.name)' has an invalid character")
      }
      result.addValue(header.value, forHTTPHeaderField: header.name)
    }
    if let range = request.range {
      result.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    }
    // URLSession labels a body without a type as a form.
    if request.body != nil, result.value(forHTTPHeaderField: "Content-Type") == nil {
      result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
    result.httpBody = try request.body.map { body throws(HTTPError) in try read(body, exchange) }
    return result
  }

  private static func read(_ body: HTTPBody, _ exchange: HTTPExchange) throws(HTTPError) -> Data {
    guard body.range.count <= maximumBodySize else {
      throw HTTPError(
        .invalidRequest,
        "\(exchange.request.address): the request body has \(body.range.count) bytes, expected at most \(maximumBodySize)"
      )
    }
    var bytes = [UInt8](repeating: 0, count: body.range.count)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe exchange.fill($0) }
    guard count == bytes.count else {
      throw exchange.error ?? HTTPError(.unexpectedResponse, "the request body could not be read")
    }
    exchange.seek(to: 0)  // nothing was sent yet
    return Data(bytes)
  }
}
#endif

import Delivery
public import Foundation

/// A request that the system, or another program, may make on its own, in any order.
///
/// The system keeps requests for days: give the `id` to it, for instance as `URLSessionTask.taskDescription`, and pass
/// the file that arrives to `ContentPlan.accept`.
public struct ContentPart: Sendable, Hashable, Identifiable, Codable {
  /// The name of the part, the same after a restart.
  public let id: String
  /// The product.
  public let product: String
  /// The address.
  public let url: URL
  /// The header fields of the request. The field `Authorization` is a secret, and is not encoded.
  public let headers: [String: String]
  /// The range of the package in bytes.
  public let range: Range<Int64>
  /// The SHA-256 of the bytes in hexadecimal; nil for compressed data and for several files, whose digests
  /// `ContentPlan.accept` verifies one by one.
  public let digest: String?
  /// The number of bytes of the response.
  public var byteCount: Int64 { Int64(range.count) }

  /// The name of the secret header field.
  private static let authorization = "Authorization"

  /// - Returns: Nil if the address is no URL.
  init?(_ part: DownloadPart, of product: String, token: String?) {
    guard let url = URL(string: part.address) else { return nil }
    id = part.id
    self.product = product
    self.url = url
    var headers = part.headers
    if let token { headers[Self.authorization] = "Bearer \(token)" }
    self.headers = headers
    range = part.range
    digest = part.digest
  }

  private enum CodingKeys: String, CodingKey { case id, product, url, headers, range, digest }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(product, forKey: .product)
    try container.encode(url, forKey: .url)
    try container.encode(headers.filter { $0.key != Self.authorization }, forKey: .headers)
    try container.encode(range, forKey: .range)
    try container.encodeIfPresent(digest, forKey: .digest)
  }
}

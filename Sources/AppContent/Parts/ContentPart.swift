import Delivery
public import Foundation

/// A request for one part of a download. The system or another program can send the requests in any order.
///
/// The system may keep a request for days. Store the `id` with the request, for instance in
/// `URLSessionTask.taskDescription`, and pass the downloaded file to `ContentPlan.accept`.
public struct ContentPart: Sendable, Hashable, Identifiable, Codable {
  /// The name of the part, which stays the same after a restart.
  public let id: String
  /// The product identifier.
  public let product: String
  /// The address of the package.
  public let url: URL
  /// The header fields of the request. `Authorization` is a secret, and is not encoded.
  public let headers: [String: String]
  /// The range of bytes in the package.
  public let range: Range<Int64>
  /// The SHA-256 of the bytes in hexadecimal; nil unless the part is exactly one uncompressed file.
  /// `ContentPlan.accept` verifies the digest of each file and chunk in any part.
  public let digest: String?
  /// The number of bytes of the response.
  public var byteCount: Int64 { Int64(range.count) }

  /// The name of the secret header field.
  private static let authorization = "Authorization"

  /// Creates the request for a part; nil if its address is not a URL.
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

  /// Encodes the request without the `Authorization` header field.
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

/// A range of a package that the system or another program can download with a separate request.
public struct DownloadPart: Sendable, Hashable, Codable, Identifiable {
  /// The name of the part: 32 hexadecimal digits, the same for each plan of the same range of the same package.
  public let id: String
  /// The address of the package.
  public let address: String
  /// The range of the part in the package, in bytes.
  public let range: Range<Int64>
  /// The SHA-256 of the bytes in hexadecimal; nil unless the part is exactly one uncompressed file.
  /// `ReleaseFetcher.accept` verifies the digest of each file and chunk in any part.
  public let digest: String?
  /// Whether the part is already accepted.
  public let isKept: Bool

  /// The number of bytes of the response.
  public var byteCount: Int64 { Int64(range.count) }

  /// The header fields of the request, apart from its authorization.
  public var headers: [String: String] {
    // A compressed response would have other bytes.
    ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)", "Accept-Encoding": "identity"]
  }
}

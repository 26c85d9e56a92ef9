import HTTPTransport

/// A bucket and the key prefix of a store: `s3://bucket/prefix`.
package struct S3Location: Sendable, CustomStringConvertible {
  let bucket: String
  /// Empty, or with a trailing `/`.
  let prefix: String

  /// The start of the address of a bucket.
  package static let scheme = "s3://"
  package var description: String { "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix.dropLast())") }

  /// Parses an address such as `s3://bucket/prefix`.
  ///
  /// - Throws: `.unsuitable` for an invalid bucket name or prefix.
  package init(_ text: String) throws(StoreError) {
    let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    bucket = parts.first.map(String.init) ?? ""
    // The error must not repeat a possible secret.
    guard !bucket.contains("@") else {
      throw StoreError(.unsuitable, Self.scheme, "the address names a user or password, expected none")
    }
    guard !(1...2).contains(bucket.utf8.count) else {
      throw StoreError(
        .unsuitable, text,
        "'\(bucket)' in '\(text)' has \(bucket.utf8.count) characters; bucket names have 3 to 63 characters")
    }
    guard text.hasPrefix(Self.scheme), (3...255).contains(bucket.utf8.count),
      bucket.utf8.allSatisfy(Self.isBucketCharacter), !bucket.hasPrefix("."), !bucket.contains("..")
    else {
      throw StoreError(
        .unsuitable, text, "'\(text)' names no bucket, expected s3://bucket or s3://bucket/prefix")
    }
    var folders = parts.dropFirst()
    if folders.last == "" { folders.removeLast() }
    guard folders.allSatisfy({ $0 != "" && $0 != "." && $0 != ".." }) else {
      throw StoreError(
        .unsuitable, text,
        "the prefix of '\(text)' has an empty part or '.' or '..', expected names between slashes")
    }
    prefix = folders.map { "\($0)/" }.joined()
    guard prefix.utf8.count <= Self.maximumPrefixLength else {
      throw StoreError(
        .unsuitable, text,
        "the prefix has \(prefix.utf8.count) bytes, expected at most \(Self.maximumPrefixLength)"
      )
    }
  }

  /// The maximum length of a prefix in bytes: a key has at most 1,024, and the paths in the store need the rest.
  private static let maximumPrefixLength = 512

  private static func isBucketCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._".utf8.contains(byte)
    }
  }

  /// Returns the address of the bucket. The bucket is a subdomain at Amazon, and a part of the path elsewhere or if
  /// certificates do not match its name.
  func address(_ settings: S3Settings) throws(HTTPError) -> HTTPAddress {
    let region = settings.region
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    let amazon = "https://s3.\(PercentEncoding.encode(region)).\(domain)"
    let endpoint: HTTPAddress = if let given = settings.endpoint { given } else { try HTTPAddress(amazon) }
    let base = endpoint.path.hasSuffix("/") ? String(endpoint.path.dropLast()) : endpoint.path
    let isAmazonHost = endpoint.origin.host.hasSuffix(".\(domain)")
    let isValidSubdomain = !bucket.contains(".") && !bucket.contains("_") && bucket == bucket.lowercased()
    guard isAmazonHost, isValidSubdomain || !endpoint.isEncrypted else {
      return endpoint.with(path: "\(base)/\(PercentEncoding.encode(bucket))")
    }
    return endpoint.with(subdomain: bucket).with(path: base)
  }
}

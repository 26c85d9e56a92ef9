import Crypto
package import HTTPTransport
import Support

/// Signs requests with AWS Signature Version 4 and S3's rules: a path is escaped once and not normalized, and the hash
/// of the body is a header.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
package struct RequestSigner: Sendable {
  let credentials: S3Credentials
  let region: String
  let service: String

  /// Creates a signer for one region and one service of AWS.
  package init(_ credentials: S3Credentials, region: String, service: String = "s3") {
    self.credentials = credentials
    self.region = region
    self.service = service
  }

  /// The payload hash of an unsigned body.
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  private static let algorithm = "AWS4-HMAC-SHA256"

  /// Returns the query string that is both sent and signed: escaped and sorted.
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
      .sorted {
        $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
          || $0.0 == $1.0 && $0.1.utf8.lexicographicallyPrecedes($1.1.utf8)
      }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Returns the headers of an S3 request, with its time, session token, payload hash and signature.
  func signed(
    _ method: HTTPRequest.Method, _ address: HTTPAddress, headers: [HTTPHeader], payload: String,
    at time: SignatureTime
  ) -> [HTTPHeader] {
    var headers = headers
    headers.append(HTTPHeader("x-amz-content-sha256", payload))
    headers.append(HTTPHeader("x-amz-date", time.text))
    if let token = credentials.sessionToken { headers.append(HTTPHeader("x-amz-security-token", token)) }
    return headers + [authorization(method, address, headers: headers, payload: payload, at: time)]
  }

  /// Returns the `Authorization` header of a request, which signs exactly these headers and the host.
  func authorization(
    _ method: HTTPRequest.Method, _ address: HTTPAddress, headers: [HTTPHeader], payload: String,
    at time: SignatureTime
  ) -> HTTPHeader {
    let canonical = CanonicalHeaders(headers + [HTTPHeader("host", address.authority)])
    let signature = signature(
      of: canonicalRequest(method, address, query: address.query ?? "", canonical, payload), at: time)
    return HTTPHeader(
      "Authorization",
      "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(time)),SignedHeaders=\(canonical.names),"
        + "Signature=\(signature)")
  }

  /// Returns an address that is valid without credentials for `seconds`, from `time` in seconds since 1970.
  package func presigned(
    _ method: HTTPRequest.Method, _ address: HTTPAddress, validFor seconds: Int, at time: Int64
  ) -> String {
    let time = SignatureTime(time)
    let canonical = CanonicalHeaders([HTTPHeader("host", address.authority)])
    var items = [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(time))"),
      ("X-Amz-Date", time.text), ("X-Amz-Expires", String(seconds)), ("X-Amz-SignedHeaders", canonical.names),
    ]
    if let token = credentials.sessionToken { items.append(("X-Amz-Security-Token", token)) }
    let query = Self.query(items)
    let signature = signature(
      of: canonicalRequest(method, address, query: query, canonical, Self.unsignedPayload), at: time)
    return address.with(path: address.path, query: "\(query)&X-Amz-Signature=\(signature)").text
  }

  private func canonicalRequest(
    _ method: HTTPRequest.Method, _ address: HTTPAddress, query: String, _ headers: CanonicalHeaders,
    _ payload: String
  ) -> String {
    [method.rawValue, address.path, query, headers.lines, headers.names, payload].joined(separator: "\n")
  }

  private func scope(_ time: SignatureTime) -> String { "\(time.date)/\(region)/\(service)/aws4_request" }

  private func signature(of request: String, at time: SignatureTime) -> String {
    let hash = SHA256Digest(of: Array(request.utf8)).hexadecimal
    let text = [Self.algorithm, time.text, scope(time), hash].joined(separator: "\n")
    var key = SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))
    for part in [time.date, region, service, "aws4_request"] {
      key = SymmetricKey(data: Self.authenticationCode(part, key))
    }
    return String(hexadecimal: Self.authenticationCode(text, key))
  }

  private static func authenticationCode(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
  }
}

/// The signed headers in canonical form.
private struct CanonicalHeaders {
  /// Each line ends with a line feed.
  let lines: String
  /// Separated by semicolons.
  let names: String

  init(_ headers: [HTTPHeader]) {
    let sorted =
      headers
      .map { ($0.name.lowercased(), $0.value.split(separator: " ").joined(separator: " ")) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    lines = sorted.map { "\($0.0):\($0.1)\n" }.joined()
    names = sorted.map(\.0).joined(separator: ";")
  }
}

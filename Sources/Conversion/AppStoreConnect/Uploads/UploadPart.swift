import Delivery
import HTTPTransport
import SafeFiles
import StrictJSON
import Support

/// A part of a file, and the request that uploads it.
struct UploadPart: Sendable {
  /// The maximum number of parts; S3 allows 10,000.
  private static let maximumCount = 10_000
  /// The header fields that an operation must not set, because the client sets them or they carry credentials.
  private static let forbiddenHeaders: Set = [
    "host", "authorization", "transfer-encoding", "connection", "expect",
  ]

  let offset: Int64
  let length: Int64
  private let address: HTTPAddress
  private let headers: [HTTPHeader]

  /// Parses the operations of a reserved file, which must cover it exactly.
  ///
  /// - Parameters:
  ///   - file: The resource of the reserved file.
  ///   - byteCount: The size of the file.
  ///   - isLocal: Whether the API is on this machine, so that addresses need not be encrypted.
  ///   - resourceName: The name of the resource, for messages.
  /// - Returns: The parts in the order of their offsets.
  /// - Throws: `IntegrityError`.
  static func parts(
    of file: AppStoreResource, _ byteCount: Int64, isLocal: Bool, at resourceName: String
  ) throws(IntegrityError) -> [UploadPart] {
    let operations = try file.list("uploadOperations")
    guard (1...maximumCount).contains(operations.count) else {
      throw IntegrityError(
        resourceName, "has \(operations.count) upload operations, expected 1 to \(maximumCount)")
    }
    var parts: [UploadPart] = []
    for operation in operations {
      parts.append(try UploadPart(operation, file, isLocal: isLocal, at: resourceName))
    }
    parts.sort { $0.offset < $1.offset }
    var end: Int64 = 0
    for part in parts {
      guard part.offset == end, part.length <= byteCount - end else {
        throw IntegrityError(
          resourceName,
          "has upload operations that do not cover each of the \(byteCount) bytes of the file exactly once")
      }
      end += part.length
    }
    guard end == byteCount else {
      throw IntegrityError(
        resourceName, "has upload operations of \(end) bytes, expected the \(byteCount) bytes of the file")
    }
    return parts
  }

  private init(
    _ operation: JSONValue, _ file: AppStoreResource, isLocal: Bool, at resourceName: String
  ) throws(IntegrityError) {
    guard operation["method"] == .string("PUT") else {
      throw IntegrityError(resourceName, "has an upload operation that is not PUT")
    }
    guard case .string(let url) = operation["url"], let address = try? HTTPAddress(url),
      address.isEncrypted || isLocal && address.isOfThisMachine
    else { throw IntegrityError(resourceName, "has an upload operation whose address is not https") }
    offset = try file.byteCount(operation["offset"], "offset")
    length = try file.byteCount(operation["length"], "length")
    guard length > 0 else { throw IntegrityError(resourceName, "has an upload operation without bytes") }
    var headers: [HTTPHeader] = []
    if case .array(let fields) = operation["requestHeaders"] {
      for field in fields {
        guard case .string(let name) = field["name"], case .string(let value) = field["value"] else {
          throw IntegrityError(
            resourceName, "has an upload operation with a header without a name or a value")
        }
        let header = HTTPHeader(name, value)
        guard header.isValid, !Self.forbiddenHeaders.contains(name.lowercased()) else {
          throw IntegrityError(resourceName, "has an upload operation with a header that iapkg does not send")
        }
        if name.lowercased() != "content-length" { headers.append(header) }
      }
    }
    self.address = address
    self.headers = headers
  }

  /// Uploads the part. The token of the API is not sent, and no redirect is followed.
  ///
  /// - Throws: `StoreError`, `Interruption`, `SourceError`.
  func upload(
    from source: any ByteSource, by http: HTTPClient, advance: @escaping @Sendable (Int64) -> Void
  ) throws {
    // Without the query, which is the signature of the address.
    let name = "\(address.with(path: address.path))"
    do {
      try http.retrying {
        let request = HTTPRequest(
          .put, address, headers: headers,
          body: HTTPBody(source, range: offset..<offset + length, advance: advance),
          bodyLimit: Int64(HTTPLimits.maximumErrorBodySize))
        let response = try http.open(request)
        try response.skipBody()
        guard response.head.isSuccess else {
          throw HTTPError(
            .status(response.head.status),
            "\(name) answered with status \(response.head.status) to a part of the upload",
            retryAfter: response.head.retryAfter(now: Timestamp.now.seconds))
        }
      }
    } catch let error as HTTPError {
      throw StoreError(error, name)
    }
  }
}

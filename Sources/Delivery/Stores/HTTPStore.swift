package import HTTPTransport
import StrictJSON
package import Support

/// A read-only store behind a web server.
package struct HTTPStore: Store {
  package let name: String
  package let connections: Int? = HTTPLimits.maximumConnectionCount
  package let objectsMayFollow = true
  private let base: HTTPAddress
  private var headers: [HTTPHeader]
  private let client: HTTPClient
  /// The current time in seconds since 1970.
  private let now: @Sendable () -> Int64
  private let clock = StoreClock()
  package var clockDifference: Int64? { clock.difference }

  /// Creates a store whose `headers` are sent to the host of the address only; `now` returns the time in seconds since
  /// 1970.
  ///
  /// - Throws: `.unsuitable` for an invalid address.
  package init(
    _ address: String, headers: [HTTPHeader] = [], network: HTTPSettings, cancellation: Cancellation,
    now: @escaping @Sendable () -> Int64
  ) throws(StoreError) {
    do throws(HTTPError) {
      let base = try HTTPAddress(address)
      guard base.query == nil else {
        throw HTTPError(.invalidRequest, "\(base) has a query, expected an address without one")
      }
      guard !address.contains("#") else {
        throw HTTPError(.invalidRequest, "\(base) has a fragment after #, expected an address without one")
      }
      // The requests are for the resource under whose name the store is recorded.
      let path = StoreLocation.normalizedPath(base.path)
      self.base = base.with(path: path.hasSuffix("/") ? String(path.dropLast()) : path)
      client = HTTPClient(network, cancellation: cancellation)
    } catch {
      throw StoreError(error, address.hidingSecretsOfAddresses)
    }
    name = base.description
    self.headers = headers
    self.now = now
  }

  package var retry: Retry { client.retry }

  /// The same store with a header field that makes caches revalidate each request (RFC 9111, section 5.2.1.4).
  package var bypassingCaches: (any Store)? {
    var store = self
    store.headers.append(Self.bypass)
    return store
  }

  private static let bypass = HTTPHeader("Cache-Control", "no-cache")

  package func address(of path: StorePath) -> String? { address(path).description }

  private func address(_ path: StorePath) -> HTTPAddress { base.with(path: "\(base.path)/\(path.text)") }

  package func status(of path: StorePath) throws(StoreError) -> StoredStatus? {
    try asStoreError(path) {
      try client.retrying {
        let response = try client.openFollowing(HTTPRequest(.head, address(path), headers: headers))
        try response.skipBody()
        if Self.lacksHead.contains(response.head.status) { return try statusByReading(path) }
        guard try objectExists(response, path) else { return nil }
        guard let byteCount = response.head.contentLength else { return try statusByReading(path) }
        return status(response, byteCount)
      }
    }
  }

  /// The statuses of servers that do not support HEAD: Method Not Allowed and Not Implemented.
  private static let lacksHead: Set = [405, 501]

  /// Requests the first byte of an object to find its size and tag.
  private func statusByReading(_ path: StorePath) throws -> StoredStatus? {
    let response = try client.openFollowing(HTTPRequest(.get, address(path), headers: headers, range: 0..<1))
    guard try objectExists(response, path) else { return nil }
    let isPart = response.head.status == 206
    // The body of another response is the whole object; the connection closes without reading it.
    if isPart { try response.skipBody() }
    guard let byteCount = isPart ? response.head.contentRange?.total : response.head.contentLength else {
      throw HTTPError(.unexpectedResponse, "\(address(path)) was sent without its size")
    }
    return status(response, byteCount)
  }

  private func status(_ response: HTTPResponse, _ byteCount: Int64) -> StoredStatus {
    StoredStatus(
      byteCount: byteCount, tag: tag(response.head), encoding: response.head.contentEncoding,
      isWebPage: response.head["content-type"]?.lowercased().hasPrefix("text/html") ?? false)
  }

  package func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject? {
    try asStoreError(path) {
      try client.retrying {
        var request = HTTPRequest(.get, address(path), headers: headers)
        request.bodyLimit = Int64(max(limit, HTTPLimits.maximumErrorBodySize))
        let response = try client.openFollowing(request)
        // The status decides, so an error page of any length is ignored.
        guard try objectExists(response, path) else {
          try response.skipBody()
          guard path == .catalog else { throw missing(path) }
          return nil
        }
        guard response.head.status == 200 else {
          throw HTTPError(
            .unexpectedResponse, "\(address(path)) answered with status \(response.head.status), expected 200"
          )
        }
        var (bytes, block): ([UInt8], [UInt8]) = ([], [])
        // A growing array would take twice the memory.
        bytes.reserveCapacity(Int(min(max(0, response.head.contentLength ?? 0), Int64(limit))))
        while try response.next(&block) {
          if bytes.isEmpty, WebPage.begins(with: block) {
            throw HTTPError(
              .unexpectedResponse,
              WebPage.message(
                at: "\(address(path))", expected: StorePath.kind(ofObjectAt: "\(address(path))")))
          }
          bytes += block
        }
        if path == .catalog, Self.isOtherJSON(bytes) {
          throw HTTPError(
            .unexpectedResponse, "\(address(path)) is JSON, but not a catalog: \(WebPage.question)")
        }
        if bytes.isEmpty, path == .catalog {
          throw HTTPError(.unexpectedResponse, "\(address(path)) is empty, expected a catalog")
        }
        guard bytes.count <= limit else {
          if let encoding = response.head.contentEncoding {
            throw HTTPError(.unexpectedResponse, StoreReader.encodedMessage(at: "\(address(path))", encoding))
          }
          throw HTTPError(.tooLarge, "\(address(path)) has \(bytes.count) bytes, expected at most \(limit)")
        }
        return StoredObject(bytes: bytes, tag: tag(response.head), encoding: response.head.contentEncoding)
      }
    }
  }

  /// Returns whether the bytes are valid JSON without the member `format`, which every catalog has. A network with a
  /// sign-in page may send such a response.
  private static func isOtherJSON(_ bytes: [UInt8]) -> Bool {
    var reader = JSONReader(bytes)
    guard let value = try? reader.document({ (reader) throws(DocumentError) in try reader.value() }) else {
      return false
    }
    return value["format"] == nil
  }

  package func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader {
    reader(of: path, range, byteCount: nil)
  }

  package func open(
    _ path: StorePath, range: Range<Int64>?, byteCount: Int64
  ) throws(StoreError) -> any ObjectReader { reader(of: path, range, byteCount: byteCount) }

  private func reader(of path: StorePath, _ range: Range<Int64>?, byteCount: Int64?) -> any ObjectReader {
    let place = "\(address(path))"
    var headers = headers
    return HTTPObjectReader(range, ofObjectAt: place, byteCount: byteCount, by: client) { part in
      let response = try client.openFollowing(
        HTTPRequest(.get, address(path), headers: headers, range: part))
      if let part, response.head.status == 416 {
        try response.skipBody()
        headers = self.headers + [Self.bypass]
        throw HTTPError(.unexpectedResponse, StoreReader.shortMessage(at: place, part))
      }
      guard try objectExists(response, path) else { throw missing(path) }
      return response
    }
  }

  private func missing(_ path: StorePath) -> HTTPError {
    HTTPError(.missing, StoreReader.missingMessage(at: "\(address(path))"))
  }

  /// Returns whether the server has an object.
  ///
  /// - Throws: `HTTPError` for a response that does not show whether the object exists.
  private func objectExists(_ response: HTTPResponse, _ path: StorePath) throws(HTTPError) -> Bool {
    // A response with an Age field comes from a cache, and may have an old date.
    if response.head["age"] == nil { clock.observe(response.head, at: now()) }
    let status = response.head.status
    switch status {
    case 200...299: return true
    case 404, 410: return false
    case 401, 403:
      throw refusal(of: path, by: response)
    default: throw response.head.error(address(path), now: now())
    }
  }

  /// Returns the error for a missing (401) or insufficient (403) authorization.
  private func refusal(of path: StorePath, by response: HTTPResponse) -> HTTPError {
    let status = response.head.status
    guard response.address.origin == base.origin else {
      return HTTPError(
        .status(status),
        "\(address(path)) redirects to \(response.address), which answered with status \(status): "
          + "no token is sent there, so only the operator of the store can fix this")
    }
    let (reason, cause): (HTTPError.Reason, String) =
      if !headers.contains(where: { $0.name.lowercased() == "authorization" }) {
        (.unauthorized, "no token was given")
      } else if status == 401 {
        (.unauthorized, "the token is wrong or has expired")
      } else {
        (.status(status), "the token does not permit access to it")
      }
    return HTTPError(reason, "\(address(path)) answered with status \(status): \(cause)")
  }

  /// Returns the tag of an object, as precise as the server's headers allow.
  private func tag(_ head: HTTPHead) -> ObjectTag { ObjectTag(head["etag"] ?? head["last-modified"] ?? "") }

  private func asStoreError<Result>(
    _ path: StorePath, _ work: () throws -> Result
  ) throws(StoreError) -> Result {
    let place = "\(address(path))"
    do {
      return try work()
    } catch let error as HTTPError {
      throw StoreError(error, place)
    } catch {
      throw StoreError(.cancelled, place, "stopped")
    }
  }

  package func writable() throws(StoreError) -> any WritableStore {
    throw StoreError(
      .unsuitable, name,
      "\(name) can only be read: name the folder or the bucket (s3://bucket/prefix) behind the web server"
    )
  }
}

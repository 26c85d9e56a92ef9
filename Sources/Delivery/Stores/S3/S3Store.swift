import ContentPackage
package import HTTPTransport
package import Support

/// A store in a bucket of S3 or of a compatible server.
package struct S3Store: WritableStore {
  package let name: String
  package let connections: Int? = HTTPLimits.maximumConnectionCount
  package var bypassingCaches: (any Store)? { self }
  package var retry: Retry { client.retry }
  package var clockDifference: Int64? { client.clock.difference }
  let location: S3Location
  let client: S3Client
  /// The maximum size in bytes of an object uploaded in one request; larger ones are uploaded in parts.
  let maximumSingleUploadSize: Int64
  /// The size of a part in bytes.
  let partSize: Int64
  /// The maximum number of objects in a listing.
  let maximumListedObjectCount: Int
  /// Whether there are no other publishers, so that the store checks conditions itself instead of sending them.
  let isSinglePublisher: Bool

  /// Creates a store; `isSinglePublisher` is for buckets that ignore the conditions of writes, and `now` returns the
  /// time in seconds since 1970.
  ///
  /// - Throws: `StoreError` for invalid settings.
  package init(
    _ location: S3Location, settings: S3Settings, network: HTTPSettings, isSinglePublisher: Bool = false,
    cancellation: Cancellation, now: @escaping @Sendable () -> Int64
  ) throws(StoreError) {
    name = location.description
    self.location = location
    self.isSinglePublisher = isSinglePublisher
    maximumSingleUploadSize = settings.maximumSingleUploadSize
    partSize = settings.partSize
    maximumListedObjectCount = settings.maximumListedObjectCount
    do throws(HTTPError) {
      client = try S3Client(location, settings, network, cancellation: cancellation, now: now)
    } catch {
      throw StoreError(error, location.description)
    }
  }

  /// Returns the key of an object in the bucket.
  func key(_ path: String) -> String { location.prefix + path }
  /// Returns the address of an object, for messages.
  func place(_ path: String) -> String { "s3://\(location.bucket)/\(key(path))" }

  package func status(of path: StorePath) throws(StoreError) -> StoredStatus? {
    let response = try client.send(S3Request(.head, key(path.text)))
    if response.head.status == 404 { return nil }
    let place = place(path.text)
    guard response.head.isSuccess else {
      throw StoreError(response, "cannot read the status of \(place)", place)
    }
    guard let byteCount = response.head.contentLength, let tag = response.head["etag"] else {
      throw StoreError(.invalidResponse, place, "the store reported no size or no ETag for \(place)")
    }
    return StoredStatus(byteCount: byteCount, tag: ObjectTag(tag))
  }

  package func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject? {
    var request = S3Request(.get, key(path.text))
    request.maximumResponseSize = limit
    let response = try client.send(request)
    let place = place(path.text)
    if response.head.status == 404, response.serviceError?.code != "NoSuchBucket" { return nil }
    guard response.head.isSuccess else { throw StoreError(response, "cannot read \(place)", place) }
    guard response.body.count <= limit else {
      throw StoreError(
        .tooLarge, place, "\(place) has \(response.body.count) bytes, expected at most \(limit)")
    }
    guard let tag = response.head["etag"] else {
      guard !WebPage.begins(with: response.body) else {
        throw StoreError(
          .invalidResponse, place, WebPage.message(at: place, expected: StorePath.kind(ofObjectAt: place)))
      }
      throw StoreError(.invalidResponse, place, "the store reported no ETag for \(place)")
    }
    return StoredObject(bytes: response.body, tag: ObjectTag(tag))
  }

  package func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader {
    client.reader(of: S3Request(.get, key(path.text)), at: range, byteCount: nil, name: place(path.text))
  }

  package func open(
    _ path: StorePath, range: Range<Int64>?, byteCount: Int64
  ) throws(StoreError) -> any ObjectReader {
    client.reader(
      of: S3Request(.get, key(path.text)), at: range, byteCount: byteCount, name: place(path.text))
  }

  package func delete(_ path: StorePath) throws(StoreError) { try delete(key: key(path.text)) }

  func delete(key: String) throws(StoreError) {
    try checkDeletion(of: key, try client.send(S3Request(.delete, key)))
  }

  package func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws {
    let key = key(path.text)
    if let response = try client.send(S3Request(.delete, key), if: isUnused) {
      try checkDeletion(of: key, response)
    }
  }

  private func checkDeletion(of key: String, _ response: S3Response) throws(StoreError) {
    guard response.head.isSuccess || response.head.status == 404 else {
      let place = "s3://\(location.bucket)/\(key)"
      throw StoreError(response, "cannot remove \(place)", place)
    }
  }

  /// Performs `work` without a lock, because a bucket has none: writes are conditional on the object that was read, and
  /// `work` is repeated if a condition fails.
  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try OptimisticRetry.run(on: name, client.cancellation, work)
  }
}

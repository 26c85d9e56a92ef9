import ContentPackage
import HTTPTransport
package import SafeFiles
import Support
import Synchronization

extension S3Store {
  @discardableResult
  package func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    let conditions = try conditions(condition, path)
    return content.byteCount > maximumSingleUploadSize
      ? try putInParts(content, at: path, caching, conditions, advance)
      : try putInOneRequest(content, at: path, caching, conditions, advance)
  }

  /// Returns the headers for the condition of a write. For a single publisher, verifies the condition instead and
  /// returns none.
  private func conditions(
    _ condition: StoreCondition, _ path: StorePath
  ) throws(StoreError) -> [HTTPHeader] {
    if isSinglePublisher {
      let isMet =
        switch condition {
        case .none: true
        case .absent: try status(of: path) == nil
        case .unchanged(let tag): try status(of: path)?.tag == tag
        }
      guard isMet else {
        throw StoreError(.conditionFailed, place(path.text), "another process changed \(place(path.text))")
      }
      return []
    }
    return switch condition {
    case .none: []
    case .absent: [HTTPHeader("If-None-Match", "*")]
    case .unchanged(let tag): [HTTPHeader("If-Match", tag.text)]
    }
  }

  /// Returns the headers stored with an object.
  private func headers(_ path: StorePath, _ caching: StoreCaching) -> [HTTPHeader] {
    let isJSON = path.text.hasSuffix(".json")
    return [
      HTTPHeader("Content-Type", isJSON ? "application/json" : "application/octet-stream"),
      HTTPHeader(
        "Cache-Control", caching == .immutable ? "public, max-age=31536000, immutable" : "no-cache"),
    ]
  }

  private func putInOneRequest(
    _ content: any ByteSource, at path: StorePath, _ caching: StoreCaching, _ conditions: [HTTPHeader],
    _ advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    var request = S3Request(.put, key(path.text))
    request.headers = headers(path, caching) + conditions
    request.isRepeatable = conditions.isEmpty
    do throws(SourceError) {
      _ = try request.setBody(content, range: 0..<content.byteCount, advance: advance)
    } catch { throw StoreError(error, reading: content.name) }
    var isUncertain = false
    let response = try client.send(request) { isUncertain = true }
    return try outcome(response, content, path, isUncertain: isUncertain)
  }

  /// Returns the status after a write. A write whose response was lost may have succeeded; the store then refuses the
  /// retry.
  private func outcome(
    _ response: S3Response, _ content: any ByteSource, _ path: StorePath, isUncertain: Bool
  ) throws(StoreError) -> StoredStatus {
    let place = place(path.text)
    if response.head.isSuccess {
      if let tag = response.head["etag"] ?? S3Element(response.body)?["ETag"] {
        return StoredStatus(byteCount: content.byteCount, tag: ObjectTag(tag))
      }
      guard let status = try status(of: path) else {
        throw StoreError(.missing, place, "\(place) was removed after it was written")
      }
      return status
    }
    if isUncertain, [404, 409, 412].contains(response.head.status), let status = try status(of: path),
      try hasContent(content, path, status)
    {
      return status
    }
    throw StoreError(response, "cannot write \(place)", place)
  }

  /// Returns whether an object has the written content.
  private func hasContent(
    _ content: any ByteSource, _ path: StorePath, _ status: StoredStatus
  ) throws(StoreError) -> Bool {
    guard status.byteCount == content.byteCount else { return false }
    do {
      var hasher = SHA256Hasher()
      try read(path, range: nil) { hasher.update($0) }
      return try hasher.finish() == S3Request.digest(of: content, range: 0..<content.byteCount)
    } catch let error as StoreError {
      throw error
    } catch let error as SourceError {
      throw StoreError(error, reading: content.name)
    } catch {
      throw StoreError(.cancelled, place(path.text), "stopped")
    }
  }

  // MARK: In parts

  private func putInParts(
    _ content: any ByteSource, at path: StorePath, _ caching: StoreCaching, _ conditions: [HTTPHeader],
    _ advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    let upload = try begin(path, caching)
    let total = Mutex<Int64>(0)
    do throws(StoreError) {
      let parts = try upload.send(content, partSize, client) { count in
        total.withLock { $0 += count }
        advance(count)
      }
      var request = S3Request(.post, upload.key)
      request.query = [("uploadId", upload.identifier)]
      request.headers = conditions
      request.isRepeatable = false
      request.stallTimeout = Self.completionTimeout
      request.setBody(S3Upload.completion(parts))
      var isUncertain = false
      let response = try client.send(request) { isUncertain = true }
      return try outcome(response, content, path, isUncertain: isUncertain)
    } catch {
      // An upload that is not aborted incurs costs until it is pruned. Only the first error is reported.
      try? abort(upload, client.forCleanup)
      advance(-total.withLock { $0 })
      throw error
    }
  }

  /// The timeout for completing an upload: S3 may take minutes to assemble the parts.
  private static let completionTimeout = Duration.seconds(600)

  private func begin(_ path: StorePath, _ caching: StoreCaching) throws(StoreError) -> S3Upload {
    let place = place(path.text)
    var request = S3Request(.post, key(path.text))
    request.query = [("uploads", "")]
    request.headers = headers(path, caching) + [HTTPHeader("x-amz-checksum-algorithm", "SHA256")]
    let response = try client.send(request)
    guard response.head.isSuccess else { throw StoreError(response, "cannot write \(place)", place) }
    guard let element = S3Element(response.body), let identifier = element["UploadId"], !identifier.isEmpty
    else {
      throw StoreError(.invalidResponse, place, "the store returned no identifier for the upload of \(place)")
    }
    return S3Upload(key: key(path.text), identifier: identifier)
  }

  func abort(_ upload: S3Upload, _ client: S3Client) throws(StoreError) {
    var request = S3Request(.delete, upload.key)
    request.query = [("uploadId", upload.identifier)]
    request.stallTimeout = .seconds(5)
    let response = try client.send(request)
    guard response.head.isSuccess || response.head.status == 404 else {
      let place = upload.place(client)
      throw StoreError(response, "cannot abort an upload of \(place)", place)
    }
  }
}

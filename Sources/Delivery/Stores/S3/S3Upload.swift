import ContentPackage
import HTTPTransport
import SafeFiles
import Support
import Synchronization

/// A multipart upload in progress.
struct S3Upload: Sendable {
  let key: String
  let identifier: String

  /// An uploaded part.
  struct Part: Sendable {
    let number: Int
    let tag: String
    let checksum: String
  }

  /// The maximum number of parts that S3 accepts.
  private static let maximumPartCount: Int64 = 10_000
  /// The number of parts uploaded concurrently.
  private static let concurrentPartCount = 8

  /// Uploads all parts concurrently, and stops at the first error.
  func send(
    _ content: any ByteSource, _ partSize: Int64, _ client: S3Client,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> [Part] {
    let size = max(partSize, (content.byteCount + Self.maximumPartCount - 1) / Self.maximumPartCount)
    let count = Int((content.byteCount + size - 1) / size)
    do {
      return try WorkerPool.collect(count: count, jobs: Self.concurrentPartCount) {
        { index in
          let start = Int64(index) * size
          let range = start..<min(start + size, content.byteCount)
          return [try send(index + 1, content, range, client, advance)]
        }
      }.sorted { $0.number < $1.number }
    } catch let error as StoreError {
      throw error
    } catch let error as SourceError {
      throw StoreError(error, reading: content.name)
    } catch {
      throw StoreError(.cancelled, place(client), "stopped")
    }
  }

  func place(_ client: S3Client) -> String { "s3://\(client.location.bucket)/\(key)" }

  private func send(
    _ number: Int, _ content: any ByteSource, _ range: Range<Int64>, _ client: S3Client,
    _ advance: @escaping @Sendable (Int64) -> Void
  ) throws -> Part {
    var request = S3Request(.put, key)
    request.query = [("partNumber", String(number)), ("uploadId", identifier)]
    let checksum = try request.setBody(content, range: range, advance: advance)
    let response = try client.send(request)
    let place = place(client)
    let operation = "cannot send part \(number) of \(place)"
    guard response.head.isSuccess else { throw StoreError(response, operation, place) }
    guard let tag = response.head["etag"] else {
      throw StoreError(.invalidResponse, place, "\(operation): the store returned no ETag")
    }
    return Part(number: number, tag: tag, checksum: checksum)
  }

  /// Returns the document that completes the upload.
  static func completion(_ parts: [Part]) -> [UInt8] {
    let list = parts.map { part in
      "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(part.tag.escapedForXML)</ETag>"
        + "<ChecksumSHA256>\(part.checksum)</ChecksumSHA256></Part>"
    }
    return Array(
      ("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + list.joined()
        + "</CompleteMultipartUpload>").utf8)
  }
}

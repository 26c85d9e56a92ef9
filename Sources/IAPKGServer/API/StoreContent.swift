import Delivery
import HTTPTypes
import Hummingbird
import SafeFiles

/// The source of the content that accounts may fetch.
enum StoreContent: Sendable {
  case folder(ContentFolder)
  /// A bucket. Clients are redirected to a presigned address with an expiry time.
  case bucket(BucketAddresses)

  /// The lifetime of a presigned address, in seconds.
  static let addressLifetime = 15 * 60

  /// Returns the response to a request for an object. `sent` receives the number of bytes after they are sent.
  ///
  /// - Throws: `Problem` if the object does not exist or cannot be read now.
  func response(
    to request: Request, _ path: StorePath, _ peer: Peer, now: Int64,
    sent: @escaping @Sendable (Int64) -> Void
  ) async throws -> Response {
    switch self {
    case .folder(let folder): return try await response(to: request, path, from: folder, peer, now: now, sent)
    case .bucket(let addresses):
      let address = addresses.presigned(
        path, isHead: request.method == .head, validFor: Self.addressLifetime, at: now)
      return Response(
        status: .temporaryRedirect, headers: [.location: address, .cacheControl: "private, no-store"])
    }
  }

  private func response(
    to request: Request, _ path: StorePath, from folder: ContentFolder, _ peer: Peer, now: Int64,
    _ sent: @escaping @Sendable (Int64) -> Void
  ) async throws -> Response {
    let file: InputFile
    do {
      guard let found = try await folder.open(path) else { throw Problem(.notFound) }
      file = found
    } catch is FileError {
      throw Problem(.unavailable, Problem.noStore)
    } catch is CancellationError {
      throw Problem(.unavailable, "the server is stopping")
    }
    var response = ContentResponse(ContentRequest(request.head), ContentState(path, file.status), now: now)
    // Shared caches must not store content that only entitled accounts may fetch.
    if response.status != .rangeNotSatisfiable {
      response.fields[.cacheControl] =
        path.changes ? "private, no-cache" : "private, max-age=31536000, immutable"
    }
    guard let range = response.body else {
      return Response(status: response.status, headers: response.fields)
    }
    let body = FileBody(file: file, range: range, eventLoop: peer.eventLoop)
    return Response(
      status: response.status, headers: response.fields,
      body: ResponseBody(contentLength: range.count) { writer in
        try await body.write(to: &writer)
        try await writer.finish(nil)
        sent(Int64(range.count))
      })
  }

  /// Whether the store can be read. Always true for a bucket, to which clients are redirected.
  var isAvailable: Bool {
    get async {
      guard case .folder(let folder) = self else { return true }
      return await folder.isAvailable
    }
  }
}

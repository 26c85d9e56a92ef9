import Delivery
import HTTPTypes
import Hummingbird
import SafeFiles

/// Where the content lies that accounts may fetch.
enum StoreContent: Sendable {
  case folder(ContentFolder)
  /// Clients are sent to the bucket, with an address that is good for a while.
  case bucket(BucketAddresses)

  /// How long such an address is good, in seconds.
  static let addressLifetime = 15 * 60

  /// The answer for an object; `sent` hears how many bytes went out.
  ///
  /// - Throws: `Problem` if there is no such object, or it cannot be read now.
  func answer(
    _ request: Request, _ path: StorePath, _ peer: Peer, now: Int64, sent: @escaping @Sendable (Int64) -> Void
  ) async throws -> Response {
    switch self {
    case .folder(let folder): return try await answer(request, path, from: folder, peer, now: now, sent)
    case .bucket(let addresses):
      let address = addresses.presigned(
        path, isHead: request.method == .head, validFor: Self.addressLifetime, at: now)
      return Response(
        status: .temporaryRedirect, headers: [.location: address, .cacheControl: "private, no-store"])
    }
  }

  private func answer(
    _ request: Request, _ path: StorePath, from folder: ContentFolder, _ peer: Peer, now: Int64,
    _ sent: @escaping @Sendable (Int64) -> Void
  ) async throws -> Response {
    let file: InputFile
    do {
      guard let found = try await folder.open(path) else { throw Problem(.notFound) }
      file = found
    } catch is FileError {
      throw Problem(.unavailable, Problem.noStore)
    }
    var answer = ContentAnswer(ContentRequest(request.head), ContentState(path, file.status), now: now)
    // What one account may fetch is not for a cache that others share.
    answer.fields[.cacheControl] =
      path == .catalog ? "private, no-cache" : "private, max-age=31536000, immutable"
    guard let range = answer.body else { return Response(status: answer.status, headers: answer.fields) }
    let body = FileBody(file: file, range: range, eventLoop: peer.eventLoop)
    return Response(
      status: answer.status, headers: answer.fields,
      body: ResponseBody(contentLength: range.count) { writer in
        try await body.write(to: &writer)
        try await writer.finish(nil)
        sent(Int64(range.count))
      })
  }

  /// Whether the store can be read; a bucket is asked by whoever is sent there.
  var isThere: Bool {
    get async {
      guard case .folder(let folder) = self else { return true }
      return await folder.isThere
    }
  }
}

import ContentPackage
import Installation
import PackageForge
import Support
import Synchronization
import Testing

@testable import Delivery
@testable import HTTPTransport

/// A web server with a release, which corrupts some of its responses.
final class FaultyStore: Sendable {
  /// A response, which is correct until a fault changes it.
  struct Response {
    var version = "HTTP/1.1"
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    /// Bytes sent endlessly after the body.
    var endless: [UInt8] = []
    /// The number of bytes sent, of the header and the body together; nil for all.
    var cut: Int?

    /// The status line and the header.
    var head: [UInt8] {
      let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
      return Array("\(version) \(status) Word\r\n\(fields)\r\n".utf8)
    }

    var reply: ScriptedServer.Reply {
      var reply = ScriptedServer.Reply(head + body)
      if let cut { reply.bytes = Array(reply.bytes.prefix(cut)) }
      reply.endless = endless
      return reply
    }
  }

  /// Changes a response; `number` counts the matching requests from 0.
  typealias Fault =
    @Sendable (_ response: inout Response, _ request: ScriptedServer.Request, _ number: Int) -> Void

  let server: ScriptedServer

  /// Creates a server of documents; the fault affects requests whose path contains `part`.
  init(
    _ documents: @escaping @Sendable () -> [String: [UInt8]], _ part: String = ".pkg",
    fault: @escaping Fault = { _, _, _ in }
  ) throws {
    let fitting = Mutex(0)
    server = try ScriptedServer { request, _ in
      var response = Self.response(to: request, documents())
      if request.path.contains(part) {
        fault(
          &response, request,
          fitting.withLock { number in
            defer { number += 1 }
            return number
          })
      }
      return response.reply
    }
  }

  /// Returns the response of a server that supports ranges.
  private static func response(to request: ScriptedServer.Request, _ documents: [String: [UInt8]]) -> Response
  {
    guard let document = documents[String(request.path.dropFirst())] else {
      return Response(status: 404, headers: ["Content-Length": "0"], body: [])
    }
    var response = Response(status: 200, headers: ["ETag": "\"\(document.count)\""], body: document)
    if let range = request.range {
      response.status = 206
      response.body = Array(document[range])
      response.headers["Content-Range"] =
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(document.count)"
    }
    response.headers["Content-Length"] = "\(response.body.count)"
    return response
  }

  /// Opens the store as a client does, but without waiting between attempts.
  func open() throws -> HTTPStore {
    var network = HTTPSettings()
    network.retries.pause = { _, _ in }
    return try HTTPStore(server.address, network: network, cancellation: Cancellation(), now: { 0 })
  }

  func fetcher(into documents: String, trusting keys: TrustedKeys? = nil) throws -> ReleaseFetcher {
    ReleaseFetcher(
      StoreReader(try open()), location: server.address, trusting: try keys.map { try NamedKeys($0) },
      allowsExpired: false,
      installer: PackageInstaller(access: DocumentsAccess(path: documents, isDurable: false)))
  }
}

extension ScriptedServer.Request {
  /// The requested range of bytes; nil for the whole object.
  var range: Range<Int>? {
    let words = headers["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard let words, words.count == 2 else { return nil }
    return words[0]..<words[1] + 1
  }
}

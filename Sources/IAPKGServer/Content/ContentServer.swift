import Delivery
import HTTPTypes
import Hummingbird
import NIOCore
import SafeFiles
import Support
import Synchronization

/// The content that a request names.
enum ServedContent: Sendable {
  case file(InputFile, ContentState)
  /// A JSON document that is generated for the request.
  case document([UInt8])
}

/// Serves files without authentication and injects the configured faults.
final class ContentServer: Sendable {
  /// Returns the content for a request; nil if there is none.
  private let content: @Sendable (Request) async throws -> ServedContent?
  private let faults: FaultSettings
  private let throttle: Throttle?
  private let output: LineWriter
  /// The number of requests so far.
  private let count = Atomic<UInt64>(0)

  init(
    _ faults: FaultSettings, _ output: LineWriter,
    content: @escaping @Sendable (Request) async throws -> ServedContent?
  ) {
    self.content = content
    self.faults = faults
    self.output = output
    throttle = faults.bytesPerSecond.map { Throttle(bytesPerSecond: $0) }
  }

  func respond(to request: Request, peer: Peer) async -> Response {
    let plan = FaultPlan(faults, requestIndex: count.wrappingAdd(1, ordering: .relaxed).oldValue)
    var line = RequestLine(request.head)
    try? await Task.sleep(for: faults.latency)  // no delay if the server is stopping
    if let status = plan.failure {
      line.note = "failed on purpose"
      return refuse(HTTPResponse.Status(code: status), &line)
    }
    guard request.head.namesOneHost else {
      line.note = "expected one Host"
      return refuse(.badRequest, &line)
    }
    do {
      guard [.get, .head].contains(request.method) else { return refuse(.methodNotAllowed, &line) }
      switch try await content(request) {
      case .file(let file, let state)?:
        return response(to: ContentRequest(request.head), state, file, plan, line, peer.eventLoop)
      case .document(let bytes)?: return response(with: bytes, isHead: request.method == .head, plan, line)
      case nil: return refuse(.notFound, &line)
      }
    } catch {
      line.note = "\(error)"
      return refuse(.serviceUnavailable, &line)
    }
  }

  private func response(
    to request: ContentRequest, _ state: ContentState, _ file: InputFile, _ plan: FaultPlan,
    _ line: RequestLine, _ eventLoop: (any EventLoop)?
  ) -> Response {
    let response = ContentResponse(
      request, state, offersRanges: faults.offersRanges, now: Timestamp.now.seconds)
    var line = line
    line.status = response.status.code
    guard let range = response.body else {
      output.write(line.text)
      return Response(status: response.status, headers: response.fields)
    }
    line.range = response.status == .partialContent ? range : nil
    let body = FaultyBody(
      body: FileBody(file: file, range: range, eventLoop: eventLoop), plan: plan, throttle: throttle)
    return Response(
      status: response.status, headers: response.fields,
      body: ResponseBody(contentLength: range.count) { [output, line] writer in
        var line = line
        do {
          try await body.write(to: &writer)
          try await writer.finish(nil)
          line.byteCount = Int64(range.count)
          line.note = plan.corruption == nil ? nil : "a byte was changed on purpose"
          output.write(line.text)
        } catch {
          line.note = error is CutConnection ? "cut on purpose" : "not sent completely"
          output.write(line.text)
          throw error
        }
      })
  }

  /// Returns a response with a document.
  private func response(
    with document: [UInt8], isHead: Bool, _ plan: FaultPlan, _ line: RequestLine
  ) -> Response {
    var line = line
    line.status = HTTPResponse.Status.ok.code
    let fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: "no-cache", .contentLength: String(document.count),
    ]
    guard !isHead else {
      output.write(line.text)
      return Response(status: .ok, headers: fields)
    }
    var bytes = document
    if let index = plan.corruption.map({ Int($0 * Double(bytes.count)) }), bytes.indices.contains(index) {
      bytes[index] = ~bytes[index]
      line.note = "a byte was changed on purpose"
    }
    let cut = plan.cut.map { Int($0 * Double(bytes.count)) }
    let sent = bytes.prefix(cut ?? bytes.count)
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody(contentLength: document.count) { [output, line] writer in
        var line = line
        line.byteCount = Int64(sent.count)
        if cut != nil { line.note = "cut on purpose" }
        output.write(line.text)
        try await writer.write(ByteBuffer(bytes: sent))
        if cut != nil { throw CutConnection() }
        try await writer.finish(nil)
      })
  }

  /// Returns an error response without a body, and prints the line of the request.
  private func refuse(_ status: HTTPResponse.Status, _ line: inout RequestLine) -> Response {
    line.status = status.code
    output.write(line.text)
    var fields: HTTPFields = [.cacheControl: "no-store"]
    if status == .methodNotAllowed { fields[.allow] = "GET, HEAD" }
    return Response(status: status, headers: fields)
  }
}

/// The printed line of a request.
struct RequestLine: Sendable {
  private let start = ContinuousClock.now
  private let method: String
  private let path: String
  var status = 0
  /// The requested byte range; nil for the whole object.
  var range: Range<Int64>?
  var byteCount: Int64 = 0
  var note: String?

  init(_ head: HTTPRequest) {
    method = head.method.rawValue
    path = head.path ?? ""
  }

  /// The printed text, escaped for a terminal: `GET /catalog.json 200, 812 bytes in 3 ms`.
  var text: String {
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    let part = range.map { " bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? ""
    let line = "\(method) \(path) \(status)\(part), \(byteCount) bytes in \(Int(milliseconds)) ms"
    return String(displaying: (line + (note.map { ", \($0)" } ?? "")).utf8)
  }
}

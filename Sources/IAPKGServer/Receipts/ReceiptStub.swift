import Entitlements
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A mock of the App Store's `verifyReceipt`.
final class ReceiptStub: Sendable {
  /// The maximum size of a request, in bytes.
  private static let maximumRequestSize = ReceiptVerifier.maximumReceiptLength + 4096

  private let receipts: TestingReceipts
  /// The statuses that replace the results of the next requests.
  private let statuses: Mutex<[Int64]>

  init(root: RootCertificate, statuses: [Int64]) {
    receipts = TestingReceipts(root: root)
    self.statuses = Mutex(statuses)
  }

  func respond(to request: Request) async -> Response {
    let isSandbox = request.uri.path == "/sandbox/verifyReceipt"
    guard isSandbox || request.uri.path == "/production/verifyReceipt" else {
      return Response(status: .notFound)
    }
    guard request.method == .post else { return Self.response(TestingReceipts.response(status: 21000)) }
    let status = statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let body = try? await request.body.collect(upTo: Self.maximumRequestSize) else {
      return Response(status: .contentTooLarge)
    }
    if let status { return Self.response(TestingReceipts.response(status: status)) }
    return Self.response(
      await receipts.response(
        to: Array(body.readableBytesView), isSandbox: isSandbox, now: DateArgument.now.milliseconds))
  }

  private static func response(_ json: [UInt8]) -> Response {
    // June 5, 2023, when Apple deprecated verifyReceipt (RFC 9745: seconds since 1970).
    var headers: HTTPFields = [.contentType: "application/json"]
    if let name = HTTPField.Name("Deprecation") { headers[name] = "@1685923200" }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}

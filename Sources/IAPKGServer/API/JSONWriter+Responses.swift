import Delivery
import Entitlements
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

extension JSONWriter {
  /// Writes `entitlements` and `balances` as members of the current object.
  mutating func members(_ holdings: Holdings) {
    key("entitlements")
    array { list in
      for entitlement in holdings.entitlements { list.string(entitlement.productIdentifier) }
    }
    key("balances")
    object { balances in
      for (name, amount) in holdings.balances.sorted(by: { $0.key < $1.key }) {
        balances.member(name, amount)
      }
    }
  }

  /// Writes a time, in milliseconds since 1970, as a date with whole seconds.
  mutating func member(_ name: String, milliseconds: Int64) {
    member(name, Timestamp(seconds: milliseconds / 1_000).description)
  }
}

extension Response {
  /// Returns a response in JSON that must not be cached.
  static func json(
    _ status: HTTPResponse.Status = .ok, _ body: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    writer.object(body)
    return Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.line())))
  }
}

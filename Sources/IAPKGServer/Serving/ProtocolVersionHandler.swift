import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Adds the header fields that HTTP/1.0 implies, because later handlers do not see the version. An HTTP/1.0 client
/// expects the connection to close after each response, and need not name a host (RFC 9112, sections 3.2 and 9.3).
///
/// Also reduces a list of connection options with `close` to `close`, because Hummingbird compares the whole value.
final class ProtocolVersionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    let isOld = (head.version.major, head.version.minor) < (1, 1)
    if isOld || options.contains("close") {
      head.headers.replaceOrAdd(name: "connection", value: "close")
    }
    if isOld {
      // An HTTP/1.0 client does not understand status 100 (RFC 9110, section 10.1.1).
      head.headers.remove(name: "expect")
      if !head.headers.contains(name: "host") { head.headers.add(name: "host", value: "") }
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// Installs `ProtocolVersionHandler` before the codec that drops the version. Hummingbird can only add handlers after
/// the codec.
final class ProtocolVersionInstaller: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    try? pipeline.addHandler(ProtocolVersionHandler(), position: .before(codec))
  }
}

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sends status 100 to a client that waits for this status before it sends a body (RFC 9110, section 10.1.1). If
/// the responses to earlier requests of the connection have not ended, the status follows them.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The number of requests whose responses have not ended.
  private var openCount = 0
  /// Whether the last request waits for the status.
  private var isAwaited = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      openCount += 1
      isAwaited = head.headerFields[.expect]?.lowercased() == "100-continue"
      sendIfDue(context)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    context.write(data, promise: promise)
    if case .end = unwrapOutboundIn(data) {
      openCount -= 1
      sendIfDue(context)
    }
  }

  private func sendIfDue(_ context: ChannelHandlerContext) {
    guard isAwaited, openCount == 1 else { return }
    isAwaited = false
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
  }
}

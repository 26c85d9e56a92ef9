import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client sends its request or receives its response too slowly.
///
/// Hummingbird's own timeout restarts with each part of a body, and does not apply to responses.
final class StallHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// The task that closes the connection unless the whole request arrives in time.
  private var reading: Scheduled<Void>?
  /// The task that closes the connection unless the client receives part of the response in time.
  private var writing: Scheduled<Void>?
  /// The number of requests whose answers have not ended.
  private var openCount = 0
  /// Whether the last request has begun and has not ended.
  private var isArriving = false

  init(limit: TimeAmount) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      openCount += 1
      isArriving = true
      limitReading(context)
    case .body: break
    case .end:
      isArriving = false
      stop(&reading)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    context.write(data, promise: promise)
    if case .end = unwrapOutboundIn(data) {
      openCount -= 1
      limitReading(context)
    }
  }

  /// Limits the time of the arriving request. The server reads a request that follows another one on the connection
  /// only after the answer to the earlier one.
  private func limitReading(_ context: ChannelHandlerContext) {
    guard isArriving, openCount == 1, reading == nil else { return }
    reading = schedule(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { stop(&writing) } else { writing = writing ?? schedule(context) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop(&reading)
    stop(&writing)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stop(&reading)
    stop(&writing)
  }

  private func schedule(_ context: ChannelHandlerContext) -> Scheduled<Void> {
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
  }

  private func stop(_ task: inout Scheduled<Void>?) {
    task?.cancel()
    task = nil
  }
}

import Hummingbird
import NIOCore

/// Whom a request comes from.
struct Peer: InitializableFromSource, Sendable {
  /// The address of the other end of the connection, without its port; nil where there is none.
  let address: String?
  /// Where the connection is written to; nil where there is none.
  let eventLoop: (any EventLoop)?

  init(source: ApplicationRequestContextSource) {
    address = source.channel.remoteAddress?.ipAddress
    eventLoop = source.channel.eventLoop
  }

  init(address: String?) {
    self.address = address
    eventLoop = nil
  }
}

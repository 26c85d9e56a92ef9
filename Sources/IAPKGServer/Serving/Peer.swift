import Hummingbird
import NIOCore

/// The client of a request.
struct Peer: InitializableFromSource, Sendable {
  /// The remote address of the connection, without its port; nil if unknown.
  let address: String?
  /// The event loop of the connection; nil without a connection.
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

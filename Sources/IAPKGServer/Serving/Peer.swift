import Hummingbird
import NIOCore

/// Whom a request comes from.
struct Peer: InitializableFromSource, Sendable {
  /// The address of the other end of the connection, without its port; nil where there is none.
  let address: String?

  init(source: ApplicationRequestContextSource) { address = source.channel.remoteAddress?.ipAddress }

  init(address: String?) { self.address = address }
}

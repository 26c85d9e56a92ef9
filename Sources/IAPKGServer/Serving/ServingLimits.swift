import NIOCore

/// The limits for connections and requests.
struct ServingLimits: Sendable {
  /// The maximum number of connections; further connections wait in the system's queue.
  var maximumConnectionCount = 4_096
  /// The maximum size of all header fields of a request, in bytes.
  var maximumHeaderSize = 16 << 10
  /// The maximum number of header fields of a request.
  var maximumHeaderFieldCount = 100
  /// The maximum time between requests on a connection, and the maximum time for the head of a request to arrive.
  var idleTimeout = TimeAmount.seconds(30)
  /// The maximum time for a request to arrive, and for a client to accept the part of a response that the connection
  /// buffers.
  var stallTimeout = TimeAmount.seconds(60)
  /// The time for open requests to finish after the server is asked to stop.
  var shutdownTimeout = Duration.seconds(9)
  /// The time from the request to stop until the process ends, even if an open request ignores its cancellation.
  var exitTimeout = Duration.seconds(10)
}

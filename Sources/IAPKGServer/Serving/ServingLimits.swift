import NIOCore

/// The limits for connections and requests.
struct ServingLimits: Sendable {
  /// The maximum number of connections; further ones wait in the system's queue.
  var connections = 4_096
  /// The maximum size of all header fields of a request, in bytes.
  var headerBytes = 16 << 10
  var headerFields = 100
  /// The maximum time between requests on a connection, and for the head of a request to arrive.
  var idle = TimeAmount.seconds(30)
  /// The maximum time for a request to arrive, and for a client to accept the part of an answer that the connection
  /// buffers.
  var stall = TimeAmount.seconds(60)
  /// The time for open requests to finish after the server is asked to stop.
  var shutdown = Duration.seconds(9)
  /// The time after which the process ends, also if a request does not notice that it was cancelled.
  var end = Duration.seconds(10)
}

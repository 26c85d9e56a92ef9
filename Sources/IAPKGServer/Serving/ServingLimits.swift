import NIOCore

/// How much of the server one client, and all together, can hold.
struct ServingLimits: Sendable {
  /// Connections at a time; more wait in the system's queue.
  var connections = 4_096
  /// All header fields of a request, in bytes.
  var headerBytes = 16 << 10
  var headerFields = 100
  /// How long a connection stays open between requests, and how long the head of a request may take.
  var idle = TimeAmount.seconds(30)
  /// How long a request may take to arrive, and how long a client may take for the part of an answer that waits in the
  /// connection.
  var stall = TimeAmount.seconds(60)
  /// How long open requests go on after the server was asked to stop.
  var shutdown = Duration.seconds(10)
}

import ArgumentParser
import NIOCore
import NIOPosix
import Support

struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Ask a running server whether it is ready.",
    discussion: """
      Requests /readyz at the address of --listen, without a proxy. Exits with 69 if the server does not report \
      within 5 seconds that it is ready. Containers without a shell use it as their health check.
      """)

  private static let timeout = TimeAmount.seconds(5)
  /// The beginning of a successful response (RFC 9112, section 4). The rest is not read.
  private static let success = "HTTP/1.1 200"

  @OptionGroup var optionFile: ConfigurationOption
  @OptionGroup var listening: ListenOption

  func run() async throws {
    var reader = try OptionReader(optionFile, listening)
    let address = reader.listenAddress()
    try reader.finish()
    let response: String
    do {
      response = try await Self.response(of: address)
    } catch {
      throw CommandFailure(.unavailable, "no server answers at \(address)")
    }
    guard response == Self.success else {
      throw CommandFailure(.unavailable, "the server at \(address) is not ready")
    }
    _ = StandardStream.output.write(Array("ready\n".utf8))
  }

  /// Returns the beginning of the response to a request for /readyz; shorter if the connection closes or times out.
  private static func response(of address: ListenAddress) async throws -> String {
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(timeout).connect(host: address.host, port: address.port) { channel in
        channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        return channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await client.executeThenClose { inbound, outbound in
      let request = "GET /readyz HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
      try await outbound.write(ByteBuffer(string: request))
      var received = ByteBuffer()
      for try await part in inbound {
        received.writeImmutableBuffer(part)
        if received.readableBytes >= success.utf8.count { break }
      }
      return String(decoding: received.readableBytesView.prefix(success.utf8.count), as: UTF8.self)
    }
  }
}

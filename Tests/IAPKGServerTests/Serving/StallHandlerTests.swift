import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import IAPKGServer

@Suite("Slow clients") struct StallHandlerTests {
  private let head = HTTPRequestPart.head(
    HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))
  private let end = HTTPRequestPart.end(nil)

  /// Calls `body` with an open connection whose time advances on request.
  private func withConnection(_ body: (EmbeddedChannel) throws -> Void) throws {
    let channel = EmbeddedChannel(handler: StallHandler(limit: .seconds(60)))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80), promise: nil)
    try #require(channel.isActive)
    try body(channel)
  }

  @Test func `a connection closes if a request does not arrive in time`() throws {
    try withConnection { channel in
      try channel.writeInbound(head)
      channel.embeddedEventLoop.advanceTime(by: .seconds(59))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }
  }

  @Test func `the time of a pipelined request begins after the answer to the request before it`() throws {
    try withConnection { channel in
      for part in [head, end, head] { try channel.writeInbound(part) }
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      channel.embeddedEventLoop.advanceTime(by: .seconds(300))
      #expect(channel.isActive)
      try channel.writeOutbound(HTTPResponsePart.end(nil))
      channel.embeddedEventLoop.advanceTime(by: .seconds(59))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }
  }

  @Test func `an answer before the end of its request does not extend the time of the request`() throws {
    try withConnection { channel in
      try channel.writeInbound(head)
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      for part in [HTTPResponsePart.head(HTTPResponse(status: .badRequest)), .end(nil)] {
        try channel.writeOutbound(part)
      }
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(!channel.isActive)
    }
  }

  @Test func `a connection whose requests have arrived stays open`() throws {
    try withConnection { channel in
      for part in [head, end, head, end] { try channel.writeInbound(part) }
      for _ in 1...2 {
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(300))
        #expect(channel.isActive)
      }
    }
  }
}

#if !COMMAND_LINE_TOOL && canImport(FoundationNetworking)
import Foundation
import Testing

@testable import HTTPTransport

/// The additions for swift-corelibs-foundation.
@Suite struct FoundationNetworkingTests {
  @Test func `a transfer that is far ahead of its reader ends`() throws {
    let backlog = ResponseBacklog(memoryLimit: 10, fileLimit: 100)
    for _ in 0..<11 { try backlog.append(Data(repeating: 1, count: 10)) }
    let error = #expect(throws: HTTPError.self) { try backlog.append(Data([1])) }
    #expect(error?.reason == .unreachable)
    var (count, block) = (0, [UInt8]())
    while !backlog.isEmpty {
      try backlog.take(into: &block)
      count += block.count
    }
    #expect(count == 110)
    try backlog.append(Data([1]))
  }

  @Test func `bytes without a reader block no thread, and keep their order`() throws {
    let inbox = ResponseInbox()
    for number: UInt8 in 1...64 { inbox.put(Data(repeating: number, count: 64 << 10)) }
    inbox.finish(nil, nil)
    var (block, taken) = ([UInt8](), [UInt8]())
    while try inbox.take(&block).result == nil { taken += block }
    taken += block
    #expect(taken == (1...64 as ClosedRange<UInt8>).flatMap { [UInt8](repeating: $0, count: 64 << 10) })
  }

  @Test(arguments: [
    ("SSL certificate problem: unable to get local issuer certificate", HTTPError.Reason.untrusted),
    ("error:0A00010B:SSL routines::wrong version number", .untrusted),
    ("SSL: no alternative certificate subject name matches target host name 'h'", .untrusted),
    ("CONNECT tunnel failed, response 407", .status(407)),
    ("Unsupported proxy syntax in 'a:b@c:d'", .invalidRequest), ("Out of memory", .unexpectedResponse),
  ])
  func `an error of libcurl has the reason of its message`(_ text: String, _ reason: HTTPError.Reason) throws
  {
    let exchange = HTTPExchange(HTTPRequest(.get, try HTTPAddress("https://h/")), maximumUnreadCount: 10)
    let error = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: text])
    #expect(SessionFailure.error(error, of: exchange).reason == reason)
  }
}
#endif

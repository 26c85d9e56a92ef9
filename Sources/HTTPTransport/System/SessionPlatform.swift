// The differences between URLSession of swift-corelibs-foundation, which is tested, and of Apple's systems. The Darwin
// branches follow Apple's documentation and are untested.

#if !COMMAND_LINE_TOOL
internal import Foundation
import SafeFiles
import Support
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

enum SessionPlatform {
  static func configure(_ configuration: URLSessionConfiguration) {
    #if !canImport(FoundationNetworking)
    configuration.waitsForConnectivity = false  // untested
    #endif
  }

  /// Returns the queue on which a session calls its delegate.
  static func makeDelegateQueue() -> OperationQueue {
    #if canImport(FoundationNetworking)
    return InlineQueue()
    #else
    let queue = OperationQueue()  // untested
    queue.maxConcurrentOperationCount = 1
    return queue
    #endif
  }

  /// Whether a challenge for a password arrives after the whole response. swift-corelibs-foundation 6.3 never ends a
  /// request whose challenge has no answer.
  static var challengesAreResponses: Bool {
    #if canImport(FoundationNetworking)
    return true
    #else
    return false  // untested
    #endif
  }

  /// Returns the error for messages of libcurl, beneath swift-corelibs-foundation, that have no `URLError.Code`; nil
  /// for other messages.
  static func failure(_ text: String, of exchange: HTTPExchange) -> HTTPError? {
    #if canImport(FoundationNetworking)
    let address = exchange.request.address
    if let rejection = ProxyVariable.rejection(in: text, scheme: address.origin.scheme) {
      return HTTPError(.invalidRequest, rejection)
    }
    if let response = text.firstRange(of: "CONNECT tunnel failed, response "),
      let status = Int(text[response.upperBound...])
    {
      return HTTPError(
        .status(status), HTTPHead.statusMessage(status, of: "the proxy for \(address)"))
    }
    // libcurl before 8.6 has no other message for a header line that exceeds its limit.
    if exchange.responseHead == nil, text == "Out of memory" || text.contains("Too large response headers") {
      return exchange.headerExcess
    }
    if text.contains("wrong version number") {
      return HTTPError(
        .untrusted,
        "\(address): the server does not speak TLS at this address; check its scheme and port")
    }
    if text.contains("SSL") || text.contains("certificate") {
      return HTTPError(.untrusted, "\(address): \(text)")
    }
    return nil
    #else
    return nil
    #endif
  }
}

#if canImport(FoundationNetworking)
/// Runs operations immediately on the thread that adds them, which receives for all sessions. A queue with its own
/// thread could accumulate any number of blocks of a body.
private final class InlineQueue: OperationQueue, @unchecked Sendable {
  override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}

/// The received bytes of a body that were not taken yet: some in memory, the rest in unnamed files.
///
/// The backlog cannot stop the server: one thread of swift-corelibs-foundation receives for all sessions of the process
/// and must not be blocked, and a suspended request starts over.
final class ResponseBacklog {
  private static let blockSize = 256 << 10

  /// The maximum number of bytes in memory.
  private let memoryLimit: Int
  /// The maximum number of bytes in a file, after which the transfer ends.
  private let fileLimit: Int64

  /// The bytes in memory, in the blocks that URLSession delivered, so that the receiving thread copies nothing.
  private var blocks: [Data] = []
  private var memorySize = 0
  /// The file being read, and the offset of its next byte.
  private var file: (input: InputFile, offset: Int64)?
  /// The file being written; its bytes follow those of `file`.
  private var spool: SpoolFile?
  private var spoolSize: Int64 = 0

  let hasCapacity = true

  init(memoryLimit: Int = 2 << 20, fileLimit: Int64 = 256 << 20) {
    self.memoryLimit = memoryLimit
    self.fileLimit = fileLimit
  }

  var isEmpty: Bool { blocks.isEmpty && file == nil && spool == nil }

  /// An estimate of the number of bytes that the next `take` returns.
  var byteCount: Int { file == nil && spool == nil ? memorySize : max(memorySize, Self.blockSize) }

  func append(_ bytes: Data) throws(HTTPError) {
    if file == nil, spool == nil, blocks.isEmpty || memorySize + bytes.count <= memoryLimit {
      blocks.append(bytes)
      memorySize += bytes.count
      return
    }
    guard spoolSize + Int64(bytes.count) <= fileLimit else {
      throw HTTPError(.unreachable, "the response arrives faster than it can be processed")
    }
    do throws(FileError) {
      var spool = if let spool = spool.take() { spool } else { try SpoolFile.create() }
      try spool.write(unsafe Array(bytes).borrowedSpan.bytes)  // UInt8 has no padding
      spoolSize = spool.byteCount
      self.spool = consume spool
    } catch {
      throw HTTPError(.exhausted, error.description)
    }
  }

  /// Replaces the contents of `block` with the next bytes, if there are any.
  func take(into block: inout [UInt8]) throws(HTTPError) {
    block.removeAll(keepingCapacity: true)
    if !blocks.isEmpty {
      var count = 0
      while count < blocks.count, block.count < Self.blockSize {
        block += blocks[count]
        count += 1
      }
      blocks.removeFirst(count)
      memorySize -= block.count
      return
    }
    if file == nil, let spool = spool.take() {
      spoolSize = 0
      do throws(FileError) { file = (try spool.finish(), 0) } catch {
        throw HTTPError(.exhausted, error.description)
      }
    }
    guard let (input, offset) = file else { return }
    do throws(SourceError) { block = try input.bytes(at: offset, count: Self.blockSize) } catch {
      throw HTTPError(.exhausted, error.description)
    }
    let end = offset + Int64(block.count)
    file = end < input.byteCount && !block.isEmpty ? (input, end) : nil
  }
}
#else
/// The received bytes of a body that were not taken yet. A full backlog blocks the delegate, and thereby the server.
final class ResponseBacklog {  // untested
  private static let memoryLimit = 512 << 10

  private var memory: [UInt8] = []

  var hasCapacity: Bool { memory.count < Self.memoryLimit }

  var isEmpty: Bool { memory.isEmpty }

  /// The number of bytes that the next `take` returns.
  var byteCount: Int { memory.count }

  func append(_ bytes: Data) throws(HTTPError) { memory += bytes }

  /// Replaces the contents of `block` with the next bytes, if there are any.
  func take(into block: inout [UInt8]) throws(HTTPError) {
    block.removeAll(keepingCapacity: true)
    swap(&memory, &block)
  }
}
#endif
#endif

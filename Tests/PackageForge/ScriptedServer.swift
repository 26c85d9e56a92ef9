import CLibrary
import Foundation
import Synchronization

/// A server on loopback that answers each request with bytes from the test.
package final class ScriptedServer: Sendable {
  /// A received request: its first line, and its headers with names in lower case.
  package struct Request: Sendable {
    package let line: String
    package let headers: [String: String]
    package var path: String { String(line.split(separator: " ").dropFirst().first ?? "") }
  }

  /// A response.
  package struct Reply: Sendable, ExpressibleByStringInterpolation {
    package var bytes: [UInt8]
    /// Bytes sent repeatedly after the response, until the client disconnects or `maximumEndlessSize` is reached.
    package var endless: [UInt8] = []
    /// Whether the connection then stays open and silent.
    package var isHeld = false
    /// Whether the connection then takes the next request. No other connection is served meanwhile.
    package var isKept = false

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(stringLiteral text: String) { bytes = Array(text.utf8) }
  }

  /// A function that returns the response to a request; nil closes the connection without one. `number` counts from 1.
  package typealias Script = @Sendable (_ request: Request, _ number: Int) -> Reply?

  /// The maximum size of an endless response in bytes.
  private static let maximumEndlessSize = 256 << 20

  package let port: UInt16
  private let descriptor: Int32
  private let requests = Mutex<[Request]>([])
  private let held = Mutex<[Int32]>([])
  private let isClosed = Mutex(false)
  private let connections = Atomic<Int>(0)

  /// The number of accepted connections.
  package var connectionCount: Int { connections.load(ordering: .relaxed) }
  package var received: [Request] { requests.withLock { $0 } }
  package var address: String { "http://127.0.0.1:\(port)" }

  package init(_ script: @escaping Script) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = descriptor
    let found = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(number, pointer, size) == 0 && listen(number, 16) == 0
          && getsockname(number, pointer, &size) == 0
      }
    }
    guard found else { throw ScriptFailure() }
    port = UInt16(bigEndian: address.sin_port)
    let thread = Thread { [descriptor, owner = Weak(self)] in
      var number = 0
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else {
          Glibc.close(descriptor)
          return
        }
        owner.value?.connections.add(1, ordering: .relaxed)
        var reply: Reply?
        repeat {
          reply = nil
          guard let request = Self.read(connection), let server = owner.value else { break }
          server.requests.withLock { $0.append(request) }
          number += 1
          reply = script(request, number)
          if let reply { Self.send(reply, connection) }
        } while reply?.isKept ?? false
        if reply?.isHeld ?? false {
          owner.value?.held.withLock { $0.append(connection) }
          continue
        }
        shutdown(connection, Int32(SHUT_RDWR))
        Glibc.close(connection)
      }
    }
    thread.start()
  }

  deinit {
    close()
    for connection in held.withLock({ $0 }) { Glibc.close(connection) }
  }

  /// Stops accepting requests. The thread closes the descriptor, so that its number is not reused while the thread uses
  /// it. A second shutdown could hit a file that has reused the number.
  package func close() {
    isClosed.withLock { isClosed in
      if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
      isClosed = true
    }
  }

  /// A complete response with a `Content-Length` header.
  package static func answer(_ status: Int = 200, _ headers: [String] = [], _ body: String = "") -> Reply {
    answer(status, headers, Array(body.utf8))
  }

  package static func answer(_ status: Int = 200, _ headers: [String] = [], _ body: [UInt8]) -> Reply {
    let head =
      (["HTTP/1.1 \(status) Word", "Content-Length: \(body.count)", "Connection: close"] + headers)
      .map { "\($0)\r\n" }.joined() + "\r\n"
    return Reply(Array(head.utf8) + body)
  }

  private static func read(_ connection: Int32) -> Request? {
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: text, as: UTF8.self).contains("\r\n\r\n") {
      let count = unsafe recv(connection, &block, block.count, 0)
      guard count > 0 else { return nil }
      text += block[..<count]
    }
    let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    var rest = (headers["content-length"].flatMap(Int.init) ?? 0) - bodyCount(text)
    while rest > 0 {
      let count = unsafe recv(connection, &block, min(block.count, rest), 0)
      guard count > 0 else { return nil }
      rest -= count
    }
    return Request(line: lines[0], headers: headers)
  }

  /// Returns the number of bytes after the header.
  private static func bodyCount(_ text: [UInt8]) -> Int {
    let end = Array("\r\n\r\n".utf8)
    let index = text.indices.first { text[$0...].starts(with: end) } ?? text.endIndex
    return max(0, text.count - index - end.count)
  }

  private static func send(_ reply: Reply, _ connection: Int32) {
    guard send(reply.bytes, connection), !reply.endless.isEmpty else { return }
    for _ in 0..<maximumEndlessSize / reply.endless.count {
      guard send(reply.endless, connection) else { return }
    }
  }

  /// Sends bytes; returns false if the client has closed the connection.
  private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.send(connection, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}

package struct ScriptFailure: Error {
  package init() {}
}

private final class Weak: @unchecked Sendable {
  weak var value: ScriptedServer?
  init(_ value: ScriptedServer) { self.value = value }
}

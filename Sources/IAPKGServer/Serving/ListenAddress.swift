import ArgumentParser
import Support

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
struct ListenAddress: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
  let host: String
  /// The port; 0 for any free port.
  let port: Int

  static let `default` = ListenAddress(host: "127.0.0.1", port: 8080)

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"),
      let port = UInt16(argument[argument.index(after: colon)...])
    else { return nil }
    var host = argument[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: Int(port))
  }

  /// Returns the host and port in URL syntax. `port` replaces the requested port if the system chose another.
  func text(port: Int? = nil) -> String {
    let host = String(displaying: host.utf8)
    return "\(host.contains(":") ? "[\(host)]" : host):\(port ?? self.port)"
  }

  var description: String { text() }
  var defaultValueDescription: String { description }
}

import NIOCore
import NIOPosix
import Support
import SystemPackage

extension ListenAddress {
  /// Tries to listen on the address, with the options of a server.
  ///
  /// - Returns: False if the address is in use.
  /// - Throws: `CommandFailure` if the address cannot be used at all.
  func isFree() async throws(CommandFailure) -> Bool {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    do {
      try await bootstrap.bind(host: host, port: port).get().close()
      return true
    } catch {
      guard Self.errno(error) == .addressInUse else { throw failure(error) }
      return false
    }
  }

  /// Returns the failure for an error that occurred when listening.
  func failure(_ error: any Error) -> CommandFailure {
    let reason = Self.errno(error)?.description ?? "the system does not know this address"
    return CommandFailure(.unavailable, "cannot listen at \(self): \(reason)")
  }

  private static func errno(_ error: any Error) -> Errno? {
    (error as? IOError).map { Errno(rawValue: $0.errnoCode) }
  }
}

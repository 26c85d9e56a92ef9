import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import Support
import Synchronization
import UnixSignals

/// An HTTP server that answers requests with `respond`, until SIGTERM, SIGINT or SIGHUP.
struct HTTPService: Sendable {
  let address: ListenAddress
  var limits = ServingLimits()
  /// The certificate of the server; nil to serve without TLS.
  var identity: TLSIdentity?
  let respond: @Sendable (Request, Peer) async -> Response
  /// Called once with the listening address: `http://127.0.0.1:8080`, or `https` with a certificate.
  let announce: @Sendable (String) -> Void
  /// Called before the process ends while a request hangs.
  let flush: @Sendable () -> Void

  /// Runs until all services have stopped.
  ///
  /// - Throws: `CommandFailure` if the server cannot listen on the address; other errors of the server.
  func run() async throws {
    var logger = Logger(label: "iapkg-server", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let isListening = ListeningFlag()
    let plain = HTTPServerBuilder.http1(configuration: channelConfiguration)
    let server = try identity.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain
    let application = Application(
      responder: CallbackResponder(callback: respond), server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port), serverName: nil, backlog: 1_024,
        availableConnectionsDelegate: MaximumAvailableConnections(
          min(limits.maximumConnectionCount, ServerProcess.maximumConnectionCount), logger: logger)),
      onServerRunning: { channel in
        isListening.set()
        announce("\(identity == nil ? "http" : "https")://\(address.text(port: channel.localAddress?.port))")
      }, logger: logger)
    // The group stops its services from the last to the first. The watch is the last, so that its time begins at once.
    let services = [
      ServiceGroupConfiguration.ServiceConfiguration(
        service: application, successTerminationBehavior: .gracefullyShutdownGroup),
      ServiceGroupConfiguration.ServiceConfiguration(
        service: ShutdownWatch(limit: limits.exitTimeout, end: end), successTerminationBehavior: .ignore),
    ]
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint, .sighup], logger: logger)
    configuration.maximumGracefulShutdownDuration = limits.shutdownTimeout
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch is CancellationError {
      return  // open requests did not finish in time
    } catch {
      guard !isListening.isSet else { throw error }
      throw address.failure(error)
    }
  }

  /// Ends the process while a request hangs. A client must repeat a request that gets no response.
  @Sendable private func end() {
    flush()
    ProcessEnvironment.exitAtOnce(ServerExitStatus.success.rawValue)
  }

  private var channelConfiguration: HTTP1Channel.Configuration {
    var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
    decoder.maxHeaderFieldSize = limits.maximumHeaderSize
    decoder.maxHeaderListSize = limits.maximumHeaderSize
    decoder.maxHeaderFieldCount = limits.maximumHeaderFieldCount
    let stallTimeout = limits.stallTimeout
    return HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ProtocolVersionInstaller(), StallHandler(limit: stallTimeout), ContinueHandler(),
      ],
      idleTimeout: limits.idleTimeout,
      httpDecoderConfiguration: decoder)
  }
}

/// A flag that is set once the server listens.
private final class ListeningFlag: Sendable {
  private let state = Atomic(false)
  var isSet: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}

import ArgumentParser
import Entitlements
import Logging
import Support

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Serve the content of a store to customers who paid for it.",
    discussion: """
      Options can also be environment variables (IAPKG_BUNDLE_ID) or keys of the configuration file (bundle-id). \
      Precedence: command line, environment, configuration file. 'iapkg-server check' reports invalid options.
      """)

  @OptionGroup var options: ServerOptions

  func run() async throws {
    let log = LineWriter(.error)
    let logger = Logger(label: "iapkg-server") { _ in JSONLogHandler(log) }
    defer { log.flush() }
    for problem in OptionVariables.problems() { logger.warning("\(problem)") }
    let settings = try ServerSettings(options)
    if settings.testingRoot != nil {
      logger.warning(
        "purchases signed under a testing root are accepted: a holder of its key can buy for free")
    }
    if let message = settings.missingAppIdentifier { logger.warning("\(message)") }
    let services = try await ServiceFactory(settings: settings).services(logger)
    let api = API(services: services, metrics: ServerMetrics(), logger: logger)
    let output = LineWriter(.output)
    defer { output.flush() }
    let service = HTTPService(
      address: settings.listenAddress,
      respond: { request, peer in await api.respond(to: request, peer: peer) },
      announce: { output.write("listening on \($0)") },
      flush: {
        output.flush()
        log.flush()
      })
    try await service.run()
    services.ledger.close()
  }
}

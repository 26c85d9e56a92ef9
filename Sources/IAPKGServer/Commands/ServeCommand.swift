import ArgumentParser
import Delivery
import SafeFiles
import Support

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Serve a store locally, with fault injection.",
    discussion: """
      Prints each request. Serves every client without authentication; 'iapkg-server run' requires a purchase.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "folder"))
  var folder: String

  @Option(
    help: ArgumentHelp("The address to listen on; port 0 chooses a free one.", valueName: "address:port"))
  var listen = ListenAddress.usual

  @OptionGroup(title: "Faults") var faults: FaultOptions

  func run() async throws {
    guard try FileSystem.status(of: folder, followingLinks: true)?.kind == .folder else {
      throw CommandFailure(
        .noInput, "\(String(displaying: folder.utf8)) is not a folder, expected that of a store")
    }
    let output = LineWriter(.output)
    let settings = faults.settings
    if try FileSystem.status(of: FileSystem.joined(folder, "catalog.json"), followingLinks: false) == nil {
      output.write(
        "there is no catalog.json yet; 'iapkg publish PACKAGE --to \(String(displaying: folder.utf8))' makes one"
      )
    }
    if faults.isRandom { output.write("faults come from --seed \(settings.seed)") }
    let server = ContentServer(ContentFolder(path: folder), settings, output)
    let service = HTTPService(
      address: listen, respond: { request, peer in await server.respond(to: request, peer: peer) },
      announce: { output.write("listening on \($0)") },
      flush: { output.flush() })
    defer { output.flush() }
    try await service.run()
  }
}

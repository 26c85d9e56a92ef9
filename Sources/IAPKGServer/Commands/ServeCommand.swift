import ArgumentParser
import Delivery
import HTTPTypes
import Hummingbird
import SafeFiles
import Support

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Serve a store or asset packs locally, with fault injection.",
    discussion: """
      Prints each request. Serves every client without authentication; 'iapkg-server run' requires a purchase.

      With --background-assets, serves the asset packs in the folder that have an archive, with the paths of Apple's \
      ba-serve: /manifest and /assets/ID.

      With --tls-name, serves with TLS, which devices require for asset packs. The certificate is for this name only, below \
      a root in --tls-folder. The output names the file of the root and its fingerprint: install the root on a device once, \
      and trust it there.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the store, or of asset packs.", valueName: "folder"))
  var folder: String

  @Flag(help: "Serve a folder of asset packs, to try them.")
  var backgroundAssets = false

  @Option(
    help: ArgumentHelp(
      "With --background-assets: the address at which devices find this server. The default is the host of each request.",
      valueName: "url"))
  var baseUrl: String?

  @Option(
    help: ArgumentHelp("The address to listen on; port 0 chooses a free one.", valueName: "address:port"))
  var listen = ListenAddress.default

  @Option(
    help: ArgumentHelp(
      "Serve with TLS and a certificate for this host name, such as mac.local.", valueName: "name"))
  var tlsName: String?

  @Option(
    help: ArgumentHelp(
      "With --tls-name: the folder that keeps the roots of certificates, readable by you only. The default is .iapkg-tls "
        + "in the home folder.", valueName: "folder"))
  var tlsFolder: String?

  @OptionGroup(title: "Faults") var faults: FaultOptions

  func validate() throws {
    if tlsFolder != nil, tlsName == nil { throw ValidationError("--tls-folder requires --tls-name") }
    if let tlsName, HostName(tlsName) == nil {
      throw ValidationError(
        "--tls-name is '\(String(displaying: tlsName.utf8))', expected a host name such as mac.local, not an address"
      )
    }
    guard let baseUrl else { return }
    guard backgroundAssets else { throw ValidationError("--base-url requires --background-assets") }
    guard baseUrl.hasPrefix("https://") || baseUrl.hasPrefix("http://") else {
      throw ValidationError("--base-url begins with neither https:// nor http://")
    }
  }

  func run() async throws {
    guard try FileSystem.status(of: folder, followingLinks: true)?.kind == .folder else {
      throw CommandFailure(
        .noInput,
        "\(String(displaying: folder.utf8)) is not a folder, expected the folder of a store or of asset packs"
      )
    }
    let output = LineWriter(.output)
    let settings = faults.settings
    let identity = try identity()
    let content = backgroundAssets ? packs(output) : try store(output)
    if let identity {
      output.write(
        "the root of the certificate is in \(String(displaying: identity.rootPath.utf8)); trust it once on devices"
      )
      output.write("its SHA-256 fingerprint is \(identity.fingerprint)")
    }
    if faults.isRandom { output.write("faults come from --seed \(settings.seed)") }
    let server = ContentServer(settings, output, content: content)
    let service = HTTPService(
      address: listen, identity: identity,
      respond: { request, peer in await server.respond(to: request, peer: peer) },
      announce: { output.write("listening on \($0)") },
      flush: { output.flush() })
    defer { output.flush() }
    try await service.run()
  }

  /// Returns the certificate of the server; nil without `--tls-name`.
  private func identity() throws -> TLSIdentity? {
    guard let name = tlsName.flatMap(HostName.init) else { return nil }
    guard
      let folder = tlsFolder ?? ProcessEnvironment.value("HOME").map({ FileSystem.joined($0, ".iapkg-tls") })
    else {
      throw CommandFailure(.usage, "there is no home folder; specify --tls-folder")
    }
    return try TLSIdentity(for: name, in: folder)
  }

  private typealias Content = @Sendable (Request) async throws -> ServedContent?

  private func store(_ output: LineWriter) throws -> Content {
    if try FileSystem.status(of: FileSystem.joined(folder, "catalog.json"), followingLinks: false) == nil {
      output.write(
        "there is no catalog.json yet; 'iapkg publish PACKAGE --to \(String(displaying: folder.utf8))' makes one"
      )
    }
    let folder = ContentFolder(path: folder)
    return { request in
      guard let path = StorePath(String(request.uri.path.dropFirst())), let file = try await folder.open(path)
      else { return nil }
      return .file(file, ContentState(path, file.status))
    }
  }

  private func packs(_ output: LineWriter) -> Content {
    let folder = PackFolder(path: folder)
    let identifiers = folder.identifiers
    output.write(
      identifiers.isEmpty
        ? "no asset pack has an archive yet; 'iapkg export --pack' makes them"
        : "asset packs: \(String(displaying: identifiers.joined(separator: ", ").utf8))")
    var base = baseUrl
    while base?.hasSuffix("/") == true { base?.removeLast() }
    let scheme = tlsName == nil ? "http" : "https"
    return { [base] request in
      try await folder.content(
        at: request.uri.path, for: request.uri.queryParameters.get("platform"),
        base: base ?? "\(scheme)://\(request.head.authority ?? "")")
    }
  }
}

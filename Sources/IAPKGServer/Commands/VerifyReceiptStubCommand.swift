import ArgumentParser
import Entitlements
import HTTPTypes
import Hummingbird
import NIOCore
import SafeFiles
import Support

struct VerifyReceiptStubCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-receipt-stub",
    abstract: "Serve a mock of the App Store's verifyReceipt for testing receipts.",
    discussion: """
      A testing receipt is the base64 of the transactions that 'testing sign-transaction' writes, one per line. The stub \
      listens on this machine only. Give its addresses to the server: /production/verifyReceipt as \
      --verify-receipt-url, and /sandbox/verifyReceipt as --sandbox-verify-receipt-url.
      """)

  @Option(help: ArgumentHelp("The folder that 'testing make-root' made.", valueName: "folder"))
  var certificates: String

  @Option(help: ArgumentHelp("The port to listen on at 127.0.0.1; 0 chooses a free one.", valueName: "port"))
  var port: UInt16 = 0

  @Option(
    name: .customLong("status"),
    help: ArgumentHelp(
      "A status that replaces the result of the next request, such as 21002 or 21005. Repeat it for further requests.",
      valueName: "number"))
  var statuses: [Int64] = []

  func run() async throws {
    guard let root = try SignedFile.roots(FileSystem.joined(certificates, "root.pem")).first else { return }
    let stub = ReceiptStub(root: root, statuses: statuses)
    let output = LineWriter(.output)
    defer { output.flush() }
    let service = HTTPService(
      address: ListenAddress(host: "127.0.0.1", port: Int(port)),
      respond: { request, _ in await stub.respond(to: request) },
      announce: { output.write("listening on \($0)") },
      flush: { output.flush() })
    try await service.run()
  }
}

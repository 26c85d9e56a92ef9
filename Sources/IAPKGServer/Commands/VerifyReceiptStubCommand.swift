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
    abstract: "Answer as the App Store's verifyReceipt does, about testing receipts.",
    discussion: """
      A testing receipt is the base64 of what 'testing sign-transaction' writes, one transaction a line. The stub \
      listens on this machine alone; /production/verifyReceipt stands for production and /sandbox/verifyReceipt for \
      the sandbox: name them as --verify-receipt-url and --sandbox-verify-receipt-url.
      """)

  @Option(help: ArgumentHelp("The folder that 'testing make-root' made.", valueName: "folder"))
  var certificates: String

  @Option(help: ArgumentHelp("The port to listen on at 127.0.0.1; 0 chooses a free one.", valueName: "port"))
  var port: UInt16 = 0

  @Option(
    name: .customLong("status"),
    help: ArgumentHelp(
      "A status for the next request in place of what its receipt deserves, such as 21002 or 21005; once for each.",
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

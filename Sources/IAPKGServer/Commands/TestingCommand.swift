import ArgumentParser

struct TestingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "testing",
    abstract: "Make what the App Store would send, under a root of one's own.",
    subcommands: [
      MakeRootCommand.self, SignTransactionCommand.self, SignNotificationCommand.self,
      VerifyReceiptStubCommand.self,
    ])
}

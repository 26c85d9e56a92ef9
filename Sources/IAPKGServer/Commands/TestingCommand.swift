import ArgumentParser

struct TestingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "testing",
    abstract: "Make test data like the App Store's, under your own root.",
    subcommands: [
      MakeRootCommand.self, SignTransactionCommand.self, SignNotificationCommand.self,
      VerifyReceiptStubCommand.self,
    ])
}

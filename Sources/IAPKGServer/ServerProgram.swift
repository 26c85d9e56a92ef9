public import ArgumentParser
import Support

/// The program's root command.
public struct ServerProgram: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "iapkg-server",
    abstract: "Give the content of in-app purchases to those who paid for it.",
    version: "iapkg-server \(programVersion)",
    subcommands: [])

  public init() {}
}

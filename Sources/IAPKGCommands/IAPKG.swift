public import ArgumentParser

/// The program's root command.
public struct IAPKG: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "iapkg", abstract: "Build, check, version and install in-app-purchase content packages.",
    version: "1.0.0")

  public init() {}
}

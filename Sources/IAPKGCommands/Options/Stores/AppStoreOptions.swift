import ArgumentParser

/// The options for importing content that Apple hosts.
struct AppStoreOptions: ParsableArguments {
  @Flag(
    help:
      "Download the content that Apple hosts for the in-app purchases of an app, instead of reading a source."
  )
  var fromAppStoreConnect = false

  @OptionGroup var account: AppStoreAccountOptions

  /// Checks that the options name either a source or all that App Store Connect requires.
  ///
  /// - Throws: `ValidationError`.
  func check(_ command: ImportCommand) throws {
    guard fromAppStoreConnect else {
      if let (name, _) = account.options.first(where: { $0.value != nil }) {
        throw ValidationError("\(name) is for --from-app-store-connect")
      }
      if command.source == nil { throw ValidationError("give a source, or --from-app-store-connect") }
      return
    }
    if command.source != nil { throw ValidationError("give a source or --from-app-store-connect, not both") }
    if let name = account.missingOption ?? (command.folder == nil ? "--folder" : nil) {
      throw ValidationError("--from-app-store-connect requires \(name)")
    }
    if command.output != nil {
      throw ValidationError("--output cannot be combined with --from-app-store-connect, which makes folders")
    }
    try account.check()
  }
}

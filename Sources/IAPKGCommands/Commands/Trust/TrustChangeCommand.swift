import Delivery

/// A command that changes the keys of a store.
protocol TrustChangeCommand: PackageCommand where Report == ReportOptions {
  var target: TrustTargetOptions { get }

  /// Changes the keys.
  func change(_ editor: TrustEditor) throws -> TrustEditor.Result
}

extension TrustChangeCommand {
  var settingsFolders: [String] { ["."] }
  var interruption: String { "the store has its previous keys or the new ones; run iapkg trust show" }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let store = try target.store()
    let result = try change(target.editor(of: store, context))
    let rendering = TrustRendering(result.state, result, command: Self.reportName, store: store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}

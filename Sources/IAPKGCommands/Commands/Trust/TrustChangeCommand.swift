import Delivery
import Support

/// A command that changes the keys of a store.
protocol TrustChangeCommand: PackageCommand where Report == ReportOptions {
  var target: TrustTargetOptions { get }

  /// The digest of the catalog that may be signed even if no known key has signed it; nil for none.
  var catalogDigest: SHA256Digest? { get throws }

  /// Makes, changes or signs the draft of the next trust document.
  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result
}

extension TrustChangeCommand {
  var catalogDigest: SHA256Digest? { nil }
  var settingsFolders: [String] { ["."] }
  var interruption: String { "the store has its previous keys or the new ones; run iapkg trust show" }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let store = try target.store()
    let editor = try target.editor(of: store, catalogDigest: catalogDigest, context)
    let result = try change(editor, context.cancellation)
    let rendering = TrustRendering(result.state, result, command: Self.reportName, store: store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    report.text.warn(ofUnwritten: editor.unwrittenMemories, of: store, on: context.console)
    return result.isAccepted ? .success : .untrustworthy
  }
}

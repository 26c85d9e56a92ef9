import ContentPackage
import Installation
import Support

/// Writes notices about a `Documents` folder to standard error.
struct DocumentsNotes: Sendable {
  let messages: MessageStream

  @Sendable func write(_ notice: DocumentsNotice) { messages.write("note: \(text(notice))") }

  private func text(_ notice: DocumentsNotice) -> String {
    switch notice {
    case .completed(let product, let version?):
      "an interrupted run had changed \(product) to \(version); iapkg has completed the change"
    case .completed(let product, nil):
      "an interrupted run had removed \(product); iapkg has completed the removal"
    case .filesKept(let product, let path):
      "files of \(product) that iapkg did not install, or that were modified, are kept in \(path); delete them when you "
        + "no longer need them"
    case .undone(let product): "an interrupted run had not yet changed \(product); iapkg has undone it"
    case .downloadKept(let product):
      "the download of \(product) was interrupted; the received bytes are kept for the next iapkg fetch"
    case .cleanedUp: "iapkg has removed the unfinished files of an interrupted run"
    case .postponed(is Interruption):
      "interrupted after the work was done and on disk; the next command will clean up"
    case .postponed(let error):
      "\(CommandError(error, cancellation: Cancellation(), inputs: []).message); the work is done and on disk, and the "
        + "next command will clean up"
    case .undeleted(let path, let error):
      "\(error); the remaining items were moved to \(path); delete them when you no longer need them"
    case .notKept(let product, let version, let error):
      "\(error); files that cannot be moved stay in the previous version \(version) of \(product): iapkg status "
        + "--format json lists them in extra"
    case .notExchanged(let product):
      "this file system cannot exchange two folders in one step, so \(product) was missing for an instant"
    case .permissionsNotKept(let product):
      "this file system does not keep permissions, so those of \(product) will not be verified"
    }
  }
}

import ContentPackage
import SafeFiles

/// Says on standard error what was put in order after an interrupted run.
struct RecoveryNotes: Sendable {
  let messages: MessageStream

  @Sendable func write(_ recovery: Recovery) { messages.write("note: \(words(recovery))") }

  private func words(_ recovery: Recovery) -> String {
    switch recovery {
    case .finished(let product, let version?):
      "an interrupted run had put \(product) \(version) in place; brought it to an end"
    case .finished(let product, nil): "an interrupted run had removed \(product); brought it to an end"
    case .takenBack(let product): "an interrupted run had not yet replaced \(product); took it back"
    case .cleanedUp: "removed the unfinished files of an interrupted run"
    case .postponed(let failure): "\(failure); it is done and on disk, and the next command will clean up"
    }
  }
}

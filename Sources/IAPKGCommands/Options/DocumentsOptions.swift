import ArgumentParser
import ContentPackage
import SafeFiles

/// Which `Documents` folder is meant.
struct DocumentsOptions: ParsableArguments {
  /// A day; whoever waits longer waits for nothing.
  private static let longestWait = 86_400.0

  @Option(help: ArgumentHelp("The folder that holds a folder for each product.", valueName: "folder"))
  var into = "Documents"

  @Option(
    help: ArgumentHelp("How long to wait for another iapkg that is at work there.", valueName: "seconds"))
  var wait = 0.0

  func validate() throws {
    if into.isEmpty { throw ValidationError("--into is empty, expected a folder") }
    guard (0...Self.longestWait).contains(wait) else {
      throw ValidationError("--wait is \(wait), expected 0 to \(Int(Self.longestWait)) seconds")
    }
  }

  /// Where a product lies, as a terminal may see it.
  static func displayPath(of product: String, in documents: String) -> String {
    String(displaying: FileSystem.joined(documents, product).utf8)
  }

  /// How the library is to use the folder; what is done is on stable storage before it counts if `isDurable`.
  func access(
    _ context: CommandContext, isDurable: Bool, progress: WorkProgress
  ) -> DocumentsAccess {
    let notes = RecoveryNotes(messages: context.console.messages)
    return DocumentsAccess(
      path: into, patience: .seconds(wait), isDurable: isDurable, cancellation: context.cancellation,
      progress: progress, report: notes.write)
  }
}

/// Whether what is done must outlast a power cut.
struct DurabilityOptions: ParsableArguments {
  @Flag(help: "Do not wait until everything is on disk: for machines that are thrown away.")
  var noSync = false
}

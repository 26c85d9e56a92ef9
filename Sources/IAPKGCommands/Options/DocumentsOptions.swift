import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

/// The `Documents` folder, and the time to wait for other processes that use it.
struct DocumentsOptions: ParsableArguments {
  static let defaultFolder = "Documents"
  /// The maximum of `--wait`: one day, in seconds.
  private static let maximumWait = 86_400.0

  @Option(
    help: ArgumentHelp("The folder that contains the product folders.", valueName: "folder"),
    completion: .directory)
  var into = defaultFolder

  @Option(
    help: ArgumentHelp(
      "The number of seconds to wait for another iapkg process that uses the folder.", valueName: "seconds"))
  var wait = 0.0

  func validate() throws {
    if into.isEmpty { throw ValidationError("--into is empty, expected a folder") }
    guard (0...Self.maximumWait).contains(wait) else {
      throw ValidationError("--wait is \(wait), expected 0 to \(Int(Self.maximumWait)) seconds")
    }
  }

  /// Waits until no other iapkg process uses the folder. If the wait times out, the command does not wait again.
  mutating func waitForOthers() {
    guard wait > 0, !InstalledProducts.waitForOthers(in: into, atMost: .seconds(wait)) else { return }
    wait = 0
  }

  /// Returns the path of a product's folder, safe to print.
  static func displayPath(of product: String, in documents: String) -> String {
    String(displaying: FileSystem.joined(documents, product).utf8)
  }

  /// Returns the library's parameters for an installation, which creates a missing folder.
  ///
  /// - Throws: `CommandError` if the folder is inside a content folder, whose next package would contain the products,
  ///   or inside a part of another `Documents` folder.
  func installationAccess(
    _ context: CommandContext, makesParents: Bool = false, isDurable: Bool, _ work: WorkContext
  ) throws(CommandError) -> DocumentsAccess {
    try ContentFolderCheck.check(documents: into)
    return access(context, makesParents: makesParents, isDurable: isDurable, work)
  }

  /// Returns the library's parameters for the folder. With `isDurable`, changes reach stable storage before they take
  /// effect.
  func access(
    _ context: CommandContext, makesParents: Bool = false, isDurable: Bool, _ work: WorkContext
  ) -> DocumentsAccess {
    let notes = DocumentsNotes(messages: context.console.messages)
    return DocumentsAccess(
      path: into, makesParents: makesParents, lockTimeout: .seconds(wait), isDurable: isDurable,
      context: work, report: notes.write)
  }
}

/// The option that trades durability for speed.
struct DurabilityOptions: ParsableArguments {
  @Flag(help: "Do not wait until everything is on disk. A power cut can then lose the change.")
  var noSync = false
}

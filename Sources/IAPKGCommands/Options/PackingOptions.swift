import ArgumentParser
import Conversion

/// The options for making archives with Apple's program.
struct PackingOptions: ParsableArguments {
  @Flag(
    help: """
      Make the archives with ba-package, --jobs at a time, except those whose content has not changed. Without packages, \
      pack all packs in the folder; with packages, the folder may have packs already.
      """)
  var pack = false

  @Option(
    help: ArgumentHelp(
      "With --pack: Apple's program. The default is ba-package in PATH; on a Mac, xcrun --find ba-package shows its path.",
      valueName: "file"), completion: .file())
  var baPackage: String?

  @Flag(help: "With --pack: make all archives again, for instance after an update of ba-package.")
  var repack = false

  @Flag(
    help: """
      Replace an existing file named by --info-plist and, with --pack, asset packs and archives that iapkg did not \
      make or that were changed since.
      """)
  var force = false

  func validate() throws {
    guard !pack else { return }
    if baPackage != nil { throw ValidationError("--ba-package requires --pack") }
    if repack { throw ValidationError("--repack requires --pack") }
  }

  var tool: String { baPackage ?? AssetPacker.defaultTool }
}

import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustAddCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add keys to the draft of the next trust document.",
    discussion: "To replace a key, add the new one and remove the old one, and then sign the draft once.")
  static let reportName = "trust add"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: keys.files) }

  func validate() throws {
    if keys.isEmpty { throw ValidationError("specify keys with --root-key or --catalog-key") }
  }

  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result {
    let roots = try TrustKeyOptions.keys(in: keys.rootKey, cancellation)
    let catalogs = try TrustKeyOptions.keys(in: keys.catalogKey, cancellation)
    return try editor.edit { document in
      document.roots.add(roots)
      document.catalogs.add(catalogs)
      thresholds.apply(to: &document)
    }
  }
}

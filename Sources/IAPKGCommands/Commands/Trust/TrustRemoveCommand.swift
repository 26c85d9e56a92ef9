import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustRemoveCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove keys in the draft of the next trust document.",
    discussion: """
      --root-key and --catalog-key also take the fingerprint of a key, as iapkg trust show prints it. Remove a stolen \
      key at once: clients then refuse each catalog that only this key signed.
      """)
  static let reportName = "trust remove"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    target.access(reading: keys.files.filter { !TrustKeyFile.isFingerprint($0) })
  }

  func validate() throws {
    if keys.isEmpty { throw ValidationError("specify keys with --root-key or --catalog-key") }
  }

  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result {
    let roots = try TrustKeyFile.fingerprints(in: keys.rootKey, cancellation: cancellation)
    let catalogs = try TrustKeyFile.fingerprints(in: keys.catalogKey, cancellation: cancellation)
    return try editor.edit { document in
      try document.roots.remove(roots, named: "root")
      try document.catalogs.remove(catalogs, named: "catalog")
      thresholds.apply(to: &document)
    }
  }
}

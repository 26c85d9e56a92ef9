import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustThresholdCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "threshold",
    abstract: "Change how many keys must sign, or the expiry, in the draft of the next trust document.")
  static let reportName = "trust threshold"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access() }

  func validate() throws {
    if thresholds.isEmpty {
      throw ValidationError("specify --root-threshold, --catalog-threshold or --expires")
    }
  }

  func change(_ editor: TrustEditor, _ cancellation: Cancellation) throws -> TrustEditor.Result {
    try editor.edit { thresholds.apply(to: &$0) }
  }
}

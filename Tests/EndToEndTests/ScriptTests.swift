import Foundation
import PackageForge
import TestSupport
import Testing

/// Scripts for contributors, on machines that restrict them.
@Suite(.waiting) struct ScriptTests {
  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts").path

  @Test(
    .enabled(if: Machine.isRoot && Machine.canHideProc && Machine.has("python3"), "needs root and mounts"))
  func `a namespace whose congestion control cannot be changed is used unchanged`() throws {
    let work = try Workspace()
    let program = """
      from network import usual_network
      with usual_network() as control: print(control)
      """
    let outcome = try work.run(
      [
        "unshare", "--mount", "sh", "-c",
        "mount --bind /proc/sys /proc/sys && mount -o remount,ro,bind /proc/sys && exec \"$0\" \"$@\"",
        Python.path, "-c", program,
      ], environment: ["PYTHONPATH": Self.scripts, "PYTHONDONTWRITEBYTECODE": "1"])
    #expect(outcome.code == 0, "\(outcome)")
    let control = outcome.output.trimmingCharacters(in: .newlines)
    #expect(!control.isEmpty && outcome.errors.contains("bench: congestion control \(control)"), "\(outcome)")
  }
}

import Foundation
import PackageForge

/// The program that was built together with these tests.
enum BuiltProgram {
  /// Where it lies: beside the test bundle.
  static let path = folder + "/iapkg"

  #if canImport(Darwin)
    private static var folder: String {  // untested
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
      return bundle.bundleURL.deletingLastPathComponent().path
    }
  #else
    private static var folder: String {
      let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return (tests as NSString).deletingLastPathComponent
    }
  #endif
}

/// What other programs this machine has; tests that need one that is missing are skipped.
enum Machine {
  /// Where `program` is, if it is installed.
  static func find(_ program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func has(_ program: String) -> Bool { find(program) != nil }

  static let isRoot = geteuid() == 0

  /// What to start a program with as a shell does that has jobs: a program can only be stopped if another one in its
  /// session, but not in its group, can see to it. Its number is written to the file `number`.
  static let asJob = [
    Python.path, "-c",
    """
    import os, sys
    number = os.fork()
    if number == 0:
        os.setpgid(0, 0)
        os.execv(sys.argv[1], sys.argv[1:])
    with open("number", "w") as file:
        file.write("%d\\n" % number)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]))
    """,
  ]

  /// Whether a signal has stopped a process (Linux).
  static func hasStopped(_ number: pid_t) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    // proc_pid_stat(5): the state follows the name in parentheses.
    return text.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// What to start a program with so that permissions apply to it, which they do not for the superuser.
  static let bound: [String] = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  static let obeysPermissions = !isRoot || has("setpriv")

  /// What to start a program with so that it finds no `/proc`.
  static let withoutProc = ["unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$0\" \"$@\""]
  static let canHideProc = has("unshare") && (try? Workspace().run(withoutProc + ["true"]).code) == 0
}

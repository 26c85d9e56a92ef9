import Foundation
import PackageForge
import TestSupport

/// The program that was built together with these tests.
enum BuiltProgram {
  /// The path of the program, beside the test bundle.
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

/// The other programs of this machine; tests that need a missing one are skipped.
enum Machine {
  /// Returns the path of `program`, if it is installed.
  static func find(_ program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func has(_ program: String) -> Bool { find(program) != nil }

  static let isRoot = geteuid() == 0

  /// The prefix that starts a program like a shell with job control: a program can only be stopped if a process of its
  /// session, outside its group, can resume it. The process ID is written to the file `number`.
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

  /// Returns whether a signal has stopped a process (Linux).
  static func hasStopped(_ number: pid_t) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    // proc_pid_stat(5): the state follows the name in parentheses.
    return text.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// The prefix that starts a program without the superuser's capabilities to bypass file permissions.
  static let bound: [String] = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  static let obeysPermissions = !isRoot || has("setpriv")

  /// The prefix that starts a program without `/proc`.
  static let withoutProc = ["unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$0\" \"$@\""]
  static let canHideProc = has("unshare") && (try? Workspace().run(withoutProc + ["true"]).code) == 0
}

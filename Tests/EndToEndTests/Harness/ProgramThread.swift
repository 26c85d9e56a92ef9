import Foundation
import IAPKGCommands
import Support
import Synchronization
import TestSupport

#if canImport(Glibc)
import CLinux
#endif

/// Runs the program in a thread of the test process. The thread and those that it starts have a separate current folder,
/// standard streams and environment.
enum ProgramThread {
  /// Returns whether the C libraries read a variable themselves, from the environment of the process.
  private static func isOfProcess(_ variable: String) -> Bool {
    ["TZ", "LANG", "HOME"].contains(variable) || variable.hasPrefix("LC_")
  }

  /// True if the environment of the process has proxy variables, which C libraries also read themselves. A proxy would
  /// intercept requests to this machine.
  private static let hasProxy = ProcessInfo.processInfo.environment.keys.contains {
    $0.lowercased().hasSuffix("_proxy") && $0.lowercased() != "no_proxy"
  }

  /// True if every run must be a process, because a thread has no sandbox; `make test-sandbox` sets the variable.
  private static let isProcess = ProcessInfo.processInfo.environment["IAPKG_TEST_PROCESSES"] != nil

  /// Runs the built program.
  ///
  /// - Returns: The exit code; nil if the run requires a process.
  static func run(_ launch: Launch) -> Int32? {
    guard launch.words.first == BuiltProgram.path, !hasProxy, !isProcess,
      !launch.environment.keys.contains(where: isOfProcess)
    else { return nil }
    #if canImport(Glibc)
    let code = Mutex<Int32?>(nil)
    let thread = BackgroundThread.start {
      guard prepareThread(for: launch) else { return }
      let context = ProcessContext(
        variables: launch.environment, maximumPause: .milliseconds(20))
      let status = ProcessContext.$current.withValue(context) {
        Program.run(Array(launch.words.dropFirst()), Cancellation(), PauseRequest())
      }
      code.withLock { $0 = status }
    }
    thread?.join()
    return code.withLock(\.self)
    #else
    return nil
    #endif
  }

  #if canImport(Glibc)
  /// Gives this thread a separate current folder and standard streams, and no other descriptors.
  ///
  /// - Returns: False if the system denies it, as in some containers.
  private static func prepareThread(for launch: Launch) -> Bool {
    guard unshare(IAPKG_CLONE_FS) == 0, Launch.leaveDescriptors(),
      unsafe chdir(launch.folder) == 0
    else { return false }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    let streams = [("/dev/null", O_RDONLY), (launch.output, writing), (launch.errors, writing)]
    for (number, (path, flags)) in streams.enumerated() {
      let descriptor = unsafe open(path, flags, 0o600)
      guard descriptor >= 0, dup2(descriptor, Int32(number)) >= 0 else { return false }
      close(descriptor)
    }
    return true
  }
  #endif
}

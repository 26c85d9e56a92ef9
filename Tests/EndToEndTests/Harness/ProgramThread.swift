import Foundation
import IAPKGCommands
import Support
import Synchronization

#if canImport(Glibc)
  import CLinux
#endif

/// The program in a thread of these tests. The thread has a current folder, standard streams and an environment of its
/// own, and so have the threads that it starts.
enum ProgramThread {
  /// Variables that the C libraries read by themselves: from the environment of the process.
  private static func isOfProcess(_ variable: String) -> Bool {
    ["TZ", "LANG", "HOME"].contains(variable) || variable.hasPrefix("LC_")
  }

  /// Proxies are such variables too, and keep away whoever asks for something from this machine.
  private static let hasProxy = ProcessInfo.processInfo.environment.keys.contains {
    $0.lowercased().hasSuffix("_proxy") && $0.lowercased() != "no_proxy"
  }

  /// Whether every run is to be a process, which has a sandbox; `make test-sandbox` asks for that.
  private static let isProcess = ProcessInfo.processInfo.environment["IAPKG_TEST_PROCESSES"] != nil

  /// Runs the built program.
  ///
  /// - Returns: its exit code; nil if only a process can do what is asked for.
  static func run(_ launch: Launch) -> Int32? {
    guard launch.words.first == BuiltProgram.path, !hasProxy, !isProcess,
      !launch.environment.keys.contains(where: isOfProcess)
    else { return nil }
    #if canImport(Glibc)
      let code = Mutex<Int32?>(nil)
      let thread = BackgroundThread.start {
        guard takePlace(of: launch) else { return }
        let surroundings = Surroundings(
          variables: launch.environment, longestPause: .milliseconds(20))
        let status = Surroundings.$current.withValue(surroundings) {
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

  /// Gives this thread descriptors of its own, which are the standard streams.
  ///
  /// - Returns: false if the system does not grant that, as in some containers.
  static func leaveDescriptors() -> Bool {
    #if canImport(Glibc)
      close_range(3, .max, IAPKG_CLOSE_RANGE_UNSHARE) == 0
    #else
      false
    #endif
  }

  #if canImport(Glibc)
    /// Gives this thread a current folder and standard streams of its own, and none of the other descriptors.
    ///
    /// - Returns: false if the system does not grant that, as in some containers.
    private static func takePlace(of launch: Launch) -> Bool {
      guard unshare(IAPKG_CLONE_FS) == 0, leaveDescriptors(),
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

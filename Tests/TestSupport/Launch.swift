import Foundation
import Support
import Synchronization

#if canImport(Glibc)
import CLinux
#endif

/// A program to run, with its environment.
///
/// Foundation's class for processes is not used: its children inherit ignored signals, and it sometimes crashes when
/// several threads start programs.
package struct Launch: Sendable {
  /// The program, which is searched in `PATH` unless it is a path, and its arguments.
  package let words: [String]
  package let folder: String
  package let environment: [String: String]
  /// The file for standard input.
  let input: String
  /// The files for standard output and standard error, created if missing.
  package let output: String
  package let errors: String

  package static let nowhere = "/dev/null"

  package init(
    _ words: [String], in folder: String = "/", environment: [String: String]? = nil,
    input: String = nowhere, output: String = nowhere, errors: String = nowhere
  ) {
    self.words = words
    self.folder = folder
    self.environment = environment ?? ProcessInfo.processInfo.environment
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// Starts the program with no signal blocked or ignored.
  ///
  /// A thread without the tests' descriptors starts it. Until a new process executes its program, it has all descriptors
  /// of the thread, and with them would keep locks that other tests release meanwhile.
  package func start() throws -> RunningProgram {
    let started = Mutex<Result<RunningProgram, LaunchFailure>?>(nil)
    let thread = BackgroundThread.start {
      _ = Self.leaveDescriptors()
      let result = Result { () throws(LaunchFailure) in try spawn() }
      started.withLock { $0 = result }
    }
    thread?.join()
    return try started.withLock(\.self)?.get() ?? spawn()
  }

  /// Runs the program and waits for its end.
  @discardableResult
  package func run() throws -> Outcome { try outcome(start().wait()) }

  /// Gives this thread a separate descriptor table, with the standard streams only.
  ///
  /// - Returns: False if the system denies it, as in some containers.
  package static func leaveDescriptors() -> Bool {
    #if canImport(Glibc)
    close_range(3, .max, IAPKG_CLOSE_RANGE_UNSHARE) == 0
    #else
    false
    #endif
  }

  private func spawn() throws(LaunchFailure) -> RunningProgram {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?  // untested
    var attributes: posix_spawnattr_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, writing, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, writing, 0o600)

    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // A shell changes to the folder: the C library's function for that has a different name on each system.
    let shell = "/bin/sh"
    let arguments = CStringList([shell, "-c", "cd \"$0\" && exec \"$@\"", folder] + words)
    let variables = CStringList(environment.map { "\($0.key)=\($0.value)" })
    var number: pid_t = 0
    let error = unsafe posix_spawnp(
      &number, shell, &actions, &attributes, arguments.pointers, variables.pointers)
    guard error == 0 else { throw LaunchFailure(code: error) }
    return RunningProgram(number: number)
  }

  /// Returns the outcome of a run that ended with `code`.
  package func outcome(_ code: Int32, isOutputKept: Bool = true) throws -> Outcome {
    let name = words[0].split(separator: "/").last.map(String.init) ?? ""
    return Outcome(
      command: ([name] + words.dropFirst()).joined(separator: " "), code: code,
      output: isOutputKept ? try Self.text(output) : "", errors: try Self.text(errors))
  }

  private static func text(_ path: String) throws -> String {
    path == nowhere ? "" : try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// The shell could not be started.
struct LaunchFailure: Error { let code: Int32 }

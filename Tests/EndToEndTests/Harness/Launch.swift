import Foundation
import Support
import Synchronization

/// A program to run, with its environment.
struct Launch {
  /// The program, which is searched in `PATH` unless it is a path, and its arguments.
  let words: [String]
  let folder: String
  let environment: [String: String]
  /// The files for standard output and standard error, created if missing.
  let output: String
  let errors: String

  /// Starts the program without input, and with no signal blocked or ignored.
  ///
  /// A thread without the tests' descriptors starts it. A new process inherits all descriptors until it runs its
  /// program, and with them the locks that other tests release meanwhile.
  func start() throws -> RunningProgram {
    let started = Mutex<Result<RunningProgram, LaunchFailure>?>(nil)
    let thread = BackgroundThread.start {
      _ = ProgramThread.leaveDescriptors()
      let result = Result { () throws(LaunchFailure) in try spawn() }
      started.withLock { $0 = result }
    }
    thread?.join()
    return try started.withLock(\.self)?.get() ?? spawn()
  }

  /// Foundation's `Process` is not used, because it passes on signals that the tests' parent ignores.
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
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
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
  func outcome(_ code: Int32, isOutputKept: Bool = true) throws -> Outcome {
    let name = words[0].split(separator: "/").last.map(String.init) ?? ""
    return Outcome(
      command: ([name] + words.dropFirst()).joined(separator: " "), code: code,
      output: isOutputKept ? try String(contentsOfFile: output, encoding: .utf8) : "",
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }
}

/// The shell could not be started.
struct LaunchFailure: Error { let code: Int32 }

/// A program that was started and must be waited for.
struct RunningProgram {
  let number: pid_t

  func send(_ signal: Int32) { kill(number, signal) }

  /// Waits for the end of the program.
  ///
  /// - Returns: The exit code, or the negative number of the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F  // <sys/wait.h>, WTERMSIG
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}

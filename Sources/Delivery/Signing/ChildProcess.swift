#if COMMAND_LINE_TOOL
import CLibrary
import ContentPackage
import SafeFiles
package import Support
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// Runs another program.
package enum ChildProcess {
  /// The exit state and the output of a program.
  package struct Outcome: Sendable {
    /// The exit code, or the negated number of the signal that ended the program.
    package let code: Int32
    /// The first bytes of the standard output, at most 1 MiB.
    package let output: [UInt8]
    /// The first bytes of the standard error, at most 1 MiB.
    package let errors: [UInt8]
  }

  /// The maximum number of bytes read from each output.
  private static let maximumOutputSize = 1 << 20
  /// The time between two checks whether the program has ended.
  private static let interval = Duration.milliseconds(2)
  /// POSIX_SPAWN_SETSID of <spawn.h>, which some platforms do not declare.
  #if canImport(Darwin)
  private static let newSession: Int32 = 0x400  // untested
  #else
  private static let newSession: Int32 = 0x80
  #endif

  /// Runs the program `command[0]`, searched for in `PATH`, until it ends.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - input: Its standard input.
  ///   - mayPrompt: Whether the program may prompt on the terminal; otherwise it runs in a session without one.
  ///   - variables: Variables added to its environment.
  ///   - cancellation: Ends the program early.
  /// - Returns: The exit state and the output.
  /// - Throws: `Interruption`, `FileError`, with `.noSuchFileOrDirectory` if there is no such program.
  package static func run(
    _ command: [String], input: [UInt8], mayPrompt: Bool, variables: [String: String],
    cancellation: Cancellation
  ) throws -> Outcome {
    let parent = try DirectoryHandle.open(FileSystem.temporaryFolder)
    removeAbandoned(in: parent)
    let name = Array((temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16)).utf8)
    PendingCleanup.begin()
    defer { PendingCleanup.end() }
    let folder = try parent.makeFolder(name, permissions: 0o700)
    defer {
      // Opens nothing, because descriptors may be few.
      for file in ["input", "output", "errors"] { try? folder.remove(file.utf8) }
      try? parent.removeFolder(name)
    }
    _ = try? folder.lock()
    var file = try folder.createFile("input".utf8, permissions: 0o600)
    try file.write(unsafe input.borrowedSpan.bytes)  // UInt8 has no padding
    try file.close()
    let process = try start(command, in: folder.path, mayPrompt: mayPrompt, variables)
    let code = try wait(for: process, of: command[0], cancellation)
    func text(_ name: String) throws -> [UInt8] {
      try folder.openFile(name.utf8).bytes(at: 0, count: maximumOutputSize)
    }
    return Outcome(code: code, output: try text("output"), errors: try text("errors"))
  }

  /// The start of the names of temporary folders.
  private static let temporaryPrefix = ".iapkg-"
  /// The minimum age of a folder that a killed process left, in seconds: a younger one may not be locked yet.
  private static let minimumAge: Int64 = 60

  /// Removes the folders that killed processes of this user left.
  private static func removeAbandoned(in parent: borrowing DirectoryHandle) {
    // Errors are ignored; leftover folders do no harm.
    for name in (try? parent.list()) ?? [] {
      guard let text = String(validating: name, as: UTF8.self), text.hasPrefix(temporaryPrefix),
        UInt64(text.dropFirst(temporaryPrefix.count), radix: 16) != nil,
        let status = try? parent.status(of: name), status.kind == .folder,
        status.owner == FileSystem.effectiveUser,
        status.modificationTime.seconds < Timestamp.now.seconds - minimumAge,
        let folder = try? parent.openFolder(name), (try? folder.lock()) == true
      else { continue }
      try? parent.removeTree(name)
    }
  }

  private static func start(
    _ command: [String], in folder: String, mayPrompt: Bool, _ variables: [String: String]
  ) throws(FileError) -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?  // untested
    var attributes: posix_spawnattr_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_EXCL
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "\(folder)/input", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "\(folder)/output", writing, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "\(folder)/errors", writing, 0o600)

    // Blocked and ignored signals of this process must not be inherited.
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe sigaddset(&defaults, SIGXFSZ)
    unsafe sigaddset(&defaults, SIGCHLD)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | (mayPrompt ? 0 : newSession)
    unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    let inherited = ProcessContext.current.variables ?? ProcessInfo.processInfo.environment
    let environment = inherited.merging(variables) { _, added in added }
    let arguments = CStringList(command)
    let values = CStringList(environment.map { "\($0.key)=\($0.value)" })
    var process: pid_t = 0
    let error = unsafe posix_spawnp(
      &process, command[0], &actions, &attributes, arguments.pointers, values.pointers)
    guard error == 0 else { throw FileError(.open, command[0], Errno(rawValue: error)) }
    return process
  }

  /// Waits until a process has ended.
  ///
  /// - Throws: `Interruption`; `FileError` if its exit code is lost, as in a process that ignores SIGCHLD.
  private static func wait(
    for process: pid_t, of program: String, _ cancellation: Cancellation
  ) throws -> Int32 {
    var status: Int32 = 0
    let pause = Cancellation()
    while true {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      guard ended >= 0 || errno == EINTR else {
        throw FileError(.read, program, Errno(rawValue: errno), detail: "its exit code is lost")
      }
      if ended > 0 { break }
      if cancellation.isCancelled {
        kill(process, SIGTERM)
        _ = unsafe waitpid(process, &status, 0)
        try cancellation.check()
      }
      pause.wait(interval)
    }
    let signal = status & 0x7F  // <sys/wait.h>, WTERMSIG
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}
#endif

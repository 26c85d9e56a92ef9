import CLibrary
package import SystemPackage

/// The replacement of this process by another program.
package enum ProgramReplacement {
  /// Replaces this process with the program at `path`, with the default handling of signals.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: The arguments without the program's name.
  /// - Returns: The error (execve(2)). On success, the function does not return.
  package static func run(_ path: String, _ arguments: [String]) -> Errno {
    // The new program must not inherit ignored or blocked signals.
    let actions = [SIGPIPE, SIGXFSZ].map { ($0, signal($0, SIG_DFL)) }
    let argumentList = CStringList([path] + arguments)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
    _ = unsafe execv(path, argumentList.pointers)
    let error = Errno(rawValue: errno)
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    for (number, action) in actions { signal(number, action) }
    return error
  }
}

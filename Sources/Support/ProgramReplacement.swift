package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Another program that takes the place of this one.
package enum ProgramReplacement {
  /// Replaces this process with the program at `path`, which finds signals as a new process does.
  ///
  /// - Parameters:
  ///   - path: the program.
  ///   - arguments: without the program's own name.
  /// - Returns: why it was not possible (execve(2)); it does not return otherwise.
  package static func run(_ path: String, _ arguments: [String]) -> Errno {
    // What we have ignored or blocked for ourselves is not for others.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    let words = CStringList([path] + arguments)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
    _ = unsafe execv(path, words.pointers)
    let error = Errno(rawValue: errno)
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    return error
  }
}

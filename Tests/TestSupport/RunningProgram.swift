package import CLibrary

/// A program that was started and must be waited for.
package struct RunningProgram: Sendable {
  package let number: pid_t

  package func send(_ signal: Int32) { kill(number, signal) }

  /// Waits for the end of the program.
  ///
  /// - Returns: The exit code, or the negative number of the signal that ended it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F  // <sys/wait.h>, WTERMSIG
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}

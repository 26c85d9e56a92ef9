import CLibrary

/// The environment of the process, or its replacement in `ProcessContext`.
package enum ProcessEnvironment {
  /// Returns the value of a variable, or nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = ProcessContext.current.variables.map({ $0[name] }) ?? ofProcess(name) else { return nil }
    return text.isEmpty ? nil : text
  }

  private static func ofProcess(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Ends the process after the exit functions of libraries (exit(3)).
  package static func exit(_ code: CInt) -> Never { endProcess(code) }

  /// Ends the process without the exit functions of libraries, which could wait for other threads.
  package static func exitAtOnce(_ code: CInt) -> Never { _exit(code) }
}

/// Calls the C library's `exit`, which the method of the same name shadows.
private func endProcess(_ code: CInt) -> Never { exit(code) }

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The environment of the process, or of a part of it.
package enum ProcessEnvironment {
  /// What this thread, and those that it starts, find in place of the variables of the process; nil for those of the
  /// process. With it a command can be run where others run at the same time.
  @TaskLocal package static var variables: [String: String]?

  /// The value of a variable, or nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = variables.map({ $0[name] }) ?? ofProcess(name) else { return nil }
    return text.isEmpty ? nil : text
  }

  private static func ofProcess(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Ends the process.
  package static func exit(_ code: CInt) -> Never { endProcess(code) }
}

/// The C library's `exit`, since the method has the same name.
private func endProcess(_ code: CInt) -> Never { exit(code) }

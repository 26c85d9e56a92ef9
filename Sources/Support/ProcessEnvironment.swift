#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The environment of the process, or of what a part of it finds in its place.
package enum ProcessEnvironment {
  /// The value of a variable, or nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let text = Surroundings.current.variables.map({ $0[name] }) ?? ofProcess(name) else { return nil }
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

import CLibrary

/// The environment variables.
enum Environment {
  static subscript(_ name: String) -> String? {
    unsafe getenv(name).map { value in unsafe String(cString: value) }
  }

  /// Ends the process.
  static func end(_ status: CInt) -> Never { exit(status) }
}

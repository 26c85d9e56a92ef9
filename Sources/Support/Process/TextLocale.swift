import CLibrary

/// The character set of the C library for one thread.
package enum TextLocale {
  /// Runs `body` with UTF-8 as the thread's character set (`uselocale`), because some C libraries cannot decode names
  /// in the C locale. Changes nothing if the system has no such locale.
  package static func withUTF8<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
    let locale = unsafe newlocale(CInt(LC_CTYPE_MASK), Platform.utf8LocaleName, nil)
    let before = unsafe uselocale(locale)
    defer {
      unsafe uselocale(before)
      if let locale = unsafe locale { unsafe freelocale(locale) }
    }
    return try body()
  }
}

import SafeFiles
import Support
import Synchronization

/// Standard error, shared by messages and progress lines that are redrawn.
final class MessageStream: Sendable {
  /// Moves to the first column (carriage return) and erases the line (ECMA-48 8.3.41).
  private static let erasure = "\r\u{1B}[K"
  /// Moves one line up (ECMA-48 8.3.22).
  private static let up = "\u{1B}[A"

  /// The number of progress lines on the terminal.
  private let shownLines = Mutex(0)

  /// Writes a permanent message.
  func write(_ message: String) {
    shownLines.withLock { shown in
      Self.put(Self.erasure(of: shown) + message + "\n")
      shown = 0
    }
  }

  /// Redraws the progress lines, each of which must fit the terminal.
  func draw(_ lines: [String]) {
    shownLines.withLock { shown in
      Self.put((shown > 0 ? Self.erasure(of: shown) : Self.erasure) + lines.joined(separator: "\n"))
      shown = lines.count
    }
  }

  /// Keeps the progress lines and continues below them, because another process writes to the terminal.
  func leave() {
    shownLines.withLock { shown in
      if shown > 0 { Self.put("\n") }
      shown = 0
    }
  }

  /// Erases the progress lines.
  func erase() {
    shownLines.withLock { shown in
      if shown > 0 { Self.put(Self.erasure(of: shown)) }
      shown = 0
    }
  }

  /// Returns the sequence that erases progress lines, from the last one up.
  private static func erasure(of lines: Int) -> String {
    Array(repeating: erasure, count: lines).joined(separator: up)
  }

  private static func put(_ text: String) { _ = StandardStream.error.write(Array(text.utf8)) }
}

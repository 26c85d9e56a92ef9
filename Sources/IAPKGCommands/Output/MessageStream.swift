import SafeFiles
import Support
import Synchronization

/// Standard error, shared by messages and lines on the terminal that are redrawn.
final class MessageStream: Sendable {
  /// Moves to the first column (carriage return) and erases the line (ECMA-48 8.3.41).
  private static let erasure = "\r\u{1B}[K"
  /// Moves one line up (ECMA-48 8.3.22).
  private static let up = "\u{1B}[A"

  /// How many lines the terminal shows.
  private let shownLines = Mutex(0)

  /// Writes a message, which stays.
  func write(_ message: String) {
    shownLines.withLock { shown in
      Self.put(Self.erasure(of: shown) + message + "\n")
      shown = 0
    }
  }

  /// Redraws the lines, each of which must fit the terminal.
  func draw(_ lines: [String]) {
    shownLines.withLock { shown in
      Self.put((shown > 0 ? Self.erasure(of: shown) : Self.erasure) + lines.joined(separator: "\n"))
      shown = lines.count
    }
  }

  /// Leaves the lines as they are, and goes on below them: something else writes to the terminal now.
  func leave() {
    shownLines.withLock { shown in
      if shown > 0 { Self.put("\n") }
      shown = 0
    }
  }

  /// Erases the lines.
  func erase() {
    shownLines.withLock { shown in
      if shown > 0 { Self.put(Self.erasure(of: shown)) }
      shown = 0
    }
  }

  /// What erases so many lines, from the last one up.
  private static func erasure(of lines: Int) -> String {
    Array(repeating: erasure, count: lines).joined(separator: up)
  }

  private static func put(_ text: String) { _ = StandardStream.error.write(Array(text.utf8)) }
}

import SafeFiles
import Support
import Synchronization

/// Standard error, shared by messages and a line on the terminal that is redrawn.
final class MessageStream: Sendable {
  /// Moves to the first column (carriage return) and erases the line (ECMA-48 8.3.41).
  private static let erasure = "\r\u{1B}[K"

  /// Whether the terminal shows the line.
  private let isLineShown = Mutex(false)

  /// Writes a message, which stays.
  func write(_ message: String) {
    isLineShown.withLock { isShown in
      Self.write((isShown ? Self.erasure : "") + message + "\n")
      isShown = false
    }
  }

  /// Redraws the line, which must fit the terminal.
  func draw(_ line: String) {
    isLineShown.withLock { isShown in
      Self.write(Self.erasure + line)
      isShown = true
    }
  }

  /// Erases the line.
  func erase() {
    isLineShown.withLock { isShown in
      if isShown { Self.write(Self.erasure) }
      isShown = false
    }
  }

  private static func write(_ text: String) { _ = StandardStream.error.write(Array(text.utf8)) }
}

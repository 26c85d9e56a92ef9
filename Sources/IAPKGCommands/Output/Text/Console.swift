import SafeFiles
import Support

/// Standard output for results, and standard error for messages.
///
/// Output is buffered. `flush` reports whether all of it was written.
final class Console {
  private var output: [UInt8] = []
  private var outputFailed = false
  /// The stream of messages.
  let messages = MessageStream()

  private static let pieceSize = 64 * 1024

  /// Appends a line to standard output.
  func print(_ line: String) {
    output += line.utf8
    output.append(UInt8(ascii: "\n"))
    if output.count > Self.pieceSize { _ = flush() }
  }

  /// Writes a message to standard error.
  func note(_ line: String) {
    _ = flush()  // keeps the order of the two streams on a terminal
    messages.write(line)
  }

  /// Writes the buffered output.
  ///
  /// - Returns: Whether all output so far was written. A closed pipe does not count as a failure.
  func flush() -> Bool {
    if !output.isEmpty, !StandardStream.output.write(output) { outputFailed = true }
    output = []
    return !outputFailed
  }
}

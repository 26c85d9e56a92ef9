import SafeFiles
import Support

/// Standard output for results, and standard error for messages.
///
/// Output is written in large pieces. `flush` tells whether all of it could be written.
final class Console {
  private var output: [UInt8] = []
  private var outputFailed = false
  /// Where messages go.
  let messages = MessageStream()

  private static let pieceSize = 64 * 1024

  /// Adds a line of data.
  func print(_ line: String) {
    output += line.utf8
    output.append(UInt8(ascii: "\n"))
    if output.count > Self.pieceSize { _ = flush() }
  }

  /// Writes a message.
  func note(_ line: String) {
    _ = flush()  // so that the two streams keep their order on a terminal
    messages.write(line)
  }

  /// Writes the buffered output.
  ///
  /// - Returns: false if some output could not be written. A closed pipe does not count.
  func flush() -> Bool {
    if !output.isEmpty, !StandardStream.output.write(output) { outputFailed = true }
    output = []
    return !outputFailed
  }
}
